// SPDX-License-Identifier: MIT

// Whether a value of JSON has the type that the interface describes. The library itself ignores values that do not fit.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/varlink/go/varlink/idl"
)

type checker struct{ types map[string]*idl.Type }

func (c checker) members(of *idl.Type, value interface{}, path string) error {
	members, is := value.(map[string]interface{})
	if !is {
		return fmt.Errorf("%s is not an object", path)
	}
	known := map[string]bool{}
	for _, field := range of.Fields {
		known[field.Name] = true
		if err := c.matches(field.Type, members[field.Name], path+"."+field.Name); err != nil {
			return err
		}
	}
	for name := range members {
		if !known[name] {
			return fmt.Errorf("%s has a member %s that the interface does not have", path, name)
		}
	}
	return nil
}

func (c checker) enumeration(of *idl.Type, value interface{}, path string) error {
	for _, field := range of.Fields {
		if field.Name == value {
			return nil
		}
	}
	return fmt.Errorf("%s is %v, which is not in the enumeration", path, value)
}

func (c checker) all(of *idl.Type, value interface{}, path string) error {
	elements, is := value.([]interface{})
	if !is {
		return fmt.Errorf("%s is not a list", path)
	}
	for i, element := range elements {
		if err := c.matches(of, element, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func (c checker) dictionary(of *idl.Type, value interface{}, path string) error {
	members, is := value.(map[string]interface{})
	if !is {
		return fmt.Errorf("%s is not an object", path)
	}
	for name, member := range members {
		if err := c.matches(of, member, path+"."+name); err != nil {
			return err
		}
	}
	return nil
}

func plain(kind idl.TypeKind, value interface{}) bool {
	switch known := value.(type) {
	case bool:
		return kind == idl.TypeBool
	case string:
		return kind == idl.TypeString
	case json.Number:
		_, err := known.Int64()
		return kind == idl.TypeFloat || (kind == idl.TypeInt && err == nil)
	}
	return false
}

func (c checker) matches(of *idl.Type, value interface{}, path string) error {
	switch of.Kind {
	case idl.TypeMaybe:
		if value == nil {
			return nil
		}
		return c.matches(of.ElementType, value, path)
	case idl.TypeAlias:
		if c.types[of.Alias] == nil {
			return fmt.Errorf("there is no type %s", of.Alias)
		}
		return c.matches(c.types[of.Alias], value, path)
	case idl.TypeStruct:
		return c.members(of, value, path)
	case idl.TypeEnum:
		return c.enumeration(of, value, path)
	case idl.TypeArray:
		return c.all(of.ElementType, value, path)
	case idl.TypeMap:
		return c.dictionary(of.ElementType, value, path)
	}
	if value == nil || (of.Kind != idl.TypeObject && !plain(of.Kind, value)) {
		return fmt.Errorf("%s is %v, which has another type", path, value)
	}
	return nil
}

func checkReply(description *idl.IDL, of *idl.Type, text []byte) {
	var value interface{}
	reader := json.NewDecoder(bytes.NewReader(text))
	// As it is written: integers must not become floats.
	reader.UseNumber()
	check(reader.Decode(&value))
	types := map[string]*idl.Type{}
	for _, alias := range description.Aliases {
		types[alias.Name] = alias.Type
	}
	check(checker{types}.matches(of, value, "reply"))
}
