// SPDX-License-Identifier: MIT

// Package pmuqd is a client of the daemon pmuqd(8), which serves the machine over a unix socket: io.pmuq(7). It is pure Go: it
// needs neither cgo nor libpmuq.
//
//	client, err := pmuqd.Dial(ctx, "")
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	reply, err := client.Encode(ctx, pmuqd.EncodeParameters{Events: []string{"cycles:u", "page-faults"}})
//
// A method has the name of the interface, and returns the document that the command pmuq prints with --json. A string that is not
// valid has an *Error of its own in the reply: its code, its span and a hint. A call that fails returns an *Error or a *CallError.
package pmuqd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"pmuq.dev/pmuq/perfevent"
)

// DefaultPath is the socket of the daemon, where the units of systemd put it.
const DefaultPath = "/run/pmuq/io.pmuq"

// Attr is struct perf_event_attr.
type Attr = perfevent.Attr

// Error is what pmuq found wrong with an event string or an attr, or a warning.
type Error = perfevent.Error

// A CallError is an error of the daemon that no event string caused.
type CallError struct {
	Name      string   // "io.pmuq.NotFound", "org.varlink.service.InvalidParameter"
	Message   string   // one sentence, or ""
	Parameter string   // the parameter concerned, or ""
	Notes     []string // what a command would print on stderr
}

func (e *CallError) Error() string {
	about := e.Message
	if about == "" {
		about = e.Parameter
	}
	return e.Name + ": " + about
}

// HexBytes are the bytes of an attr, which a document has in hex.
type HexBytes []byte

// UnmarshalJSON reads bytes in hex.
func (b *HexBytes) UnmarshalJSON(text []byte) error {
	var digits string
	if err := json.Unmarshal(text, &digits); err != nil {
		return err
	}
	made, err := hex.DecodeString(digits)
	*b = made
	return err
}

// Attr returns the attr with these bytes.
func (b HexBytes) Attr() (Attr, error) {
	return perfevent.FromBytes(b)
}

// A Member is a name with a number or a text.
type Member struct {
	Name     string
	Text     string // the value; a number is decimal
	IsNumber bool
}

// Members are the members of an object in the order of the document.
type Members []Member

// UnmarshalJSON reads an object. A map would lose the order.
func (m *Members) UnmarshalJSON(text []byte) error {
	*m = nil
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	begin, err := decoder.Token()
	if err != nil || begin == nil { // null
		return err
	}
	if begin != json.Delim('{') {
		return fmt.Errorf("pmuqd: %s instead of an object", text)
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var value interface{}
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		_, isNumber := value.(json.Number)
		*m = append(*m, Member{Name: name.(string), Text: fmt.Sprint(value), IsNumber: isNumber})
	}
	return nil
}

// A Client is a connection to the daemon. Goroutines that share it wait for each other.
type Client struct {
	turn   chan struct{} // full while a goroutine uses the connection; unlike a mutex, a context ends the wait for it
	path   string
	conn   net.Conn
	reader *bufio.Reader
}

// Dial connects to the daemon at a socket; "": DefaultPath.
func Dial(ctx context.Context, path string) (*Client, error) {
	if path == "" {
		path = DefaultPath
	}
	c := &Client{path: path, turn: make(chan struct{}, 1)}
	if err := c.connect(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// Close ends the connection. A later call connects again.
func (c *Client) Close() error {
	c.turn <- struct{}{}
	defer c.leave()
	c.disconnect()
	return nil
}

func (c *Client) leave() {
	<-c.turn
}

func (c *Client) disconnect() {
	if c.conn != nil {
		c.conn.Close()
	}
	c.conn = nil
}

func (c *Client) connect(ctx context.Context) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", c.path)
	if err != nil {
		return err
	}
	c.conn = conn
	c.reader = bufio.NewReaderSize(conn, 1<<16)
	return nil
}

type request struct {
	Method     string      `json:"method"`
	Parameters interface{} `json:"parameters,omitempty"`
	More       bool        `json:"more,omitempty"`
}

type reply struct {
	Parameters json.RawMessage `json:"parameters"`
	Error      string          `json:"error"`
}

// Whether the encoder of JSON replaced bytes that are not UTF-8: it writes an escape for them, and U+FFFD of a text as it is.
func isReplaced(text []byte) bool {
	escape := []byte(`\ufffd`)
	for i := bytes.Index(text, escape); i >= 0; {
		backslashes := 0
		for i-backslashes > 0 && text[i-backslashes-1] == '\\' {
			backslashes++
		}
		if backslashes%2 == 0 {
			return true
		}
		next := bytes.Index(text[i+1:], escape)
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return false
}

// A message of varlink: JSON and a NUL byte. JSON cannot have texts that are not UTF-8.
func message(call request) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(call); err != nil {
		return nil, err
	}
	if isReplaced(text.Bytes()) {
		return nil, errors.New("pmuqd: a text is not UTF-8")
	}
	return append(bytes.TrimRight(text.Bytes(), "\n"), 0), nil
}

// The error in a reply, or nil.
func errorOf(r *reply) error {
	if r.Error == "" {
		return nil
	}
	if r.Error == "io.pmuq.PmuqError" {
		made := new(Error)
		if err := json.Unmarshal(r.Parameters, made); err != nil {
			return err
		}
		return made
	}
	made := &CallError{Name: r.Error}
	if len(r.Parameters) > 0 {
		if err := json.Unmarshal(r.Parameters, made); err != nil {
			return err
		}
	}
	return made
}

func decode(from []byte, to interface{}) error {
	decoder := json.NewDecoder(bytes.NewReader(from))
	decoder.UseNumber()
	return decoder.Decode(to)
}

// Reads the next reply into `to`.
func receive(reader *bufio.Reader, to interface{}) error {
	text, err := reader.ReadBytes(0)
	if err != nil {
		return err
	}
	var r reply
	if err := json.Unmarshal(text[:len(text)-1], &r); err != nil {
		return err
	}
	if err := errorOf(&r); err != nil {
		return err
	}
	if err := decode(r.Parameters, to); err != nil {
		return err
	}
	if document, is := to.(interface{ finish() }); is {
		document.finish()
	}
	return nil
}

// Lets a connection end its waits when the context does; the result stops that, also for the next call.
func watch(ctx context.Context, conn net.Conn) func() {
	if ctx.Done() == nil {
		return func() {}
	}
	stop, isStopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(isStopped)
		select {
		case <-ctx.Done():
			conn.SetDeadline(time.Unix(1, 0))
		case <-stop:
		}
	}()
	return func() {
		close(stop)
		<-isStopped
		conn.SetDeadline(time.Time{})
	}
}

// The context's error is what the caller expects, not that of the socket.
func inContext(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func isEnd(err error) bool {
	var failed *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &failed) && !failed.Timeout()
}

func (c *Client) exchange(ctx context.Context, text []byte, to interface{}) error {
	if c.conn == nil {
		if err := c.connect(ctx); err != nil {
			return err
		}
	}
	defer watch(ctx, c.conn)()
	if _, err := c.conn.Write(text); err != nil {
		return err
	}
	return receive(c.reader, to)
}

func isOfDaemon(err error) bool {
	var ofString *Error
	var ofCall *CallError
	return err == nil || errors.As(err, &ofString) || errors.As(err, &ofCall)
}

// Calls a method. A daemon that was idle has ended: the call connects again, once.
func (c *Client) call(ctx context.Context, method string, parameters, to interface{}) error {
	text, err := message(request{Method: "io.pmuq." + method, Parameters: parameters})
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer c.leave()
	wasConnected := c.conn != nil
	err = c.exchange(ctx, text, to)
	if wasConnected && isEnd(err) && ctx.Err() == nil {
		c.disconnect()
		err = c.exchange(ctx, text, to)
	}
	if !isOfDaemon(err) {
		c.disconnect()
	}
	return inContext(ctx, err)
}

// A Subscription receives the state of the machine, and then each change.
type Subscription struct {
	// C has the states. It is closed at the end: of the context, of the subscription, or of the daemon. Read it promptly: the
	// daemon drops a subscriber that does not.
	C    <-chan *SubscribeReply
	stop context.CancelFunc
	err  error
	done chan struct{}
}

// Subscribe opens a connection of its own for the changes of the machine. A new subscription may miss a change: get the machine
// again after the first state.
func (c *Client) Subscribe(ctx context.Context) (*Subscription, error) {
	other := &Client{path: c.path}
	if err := other.connect(ctx); err != nil {
		return nil, err
	}
	text, err := message(request{Method: "io.pmuq.Subscribe", More: true})
	if err == nil {
		_, err = other.conn.Write(text)
	}
	if err != nil {
		other.disconnect()
		return nil, err
	}
	states := make(chan *SubscribeReply)
	ctx, stop := context.WithCancel(ctx)
	s := &Subscription{C: states, stop: stop, done: make(chan struct{})}
	go s.run(ctx, other, states)
	return s, nil
}

func (s *Subscription) run(ctx context.Context, c *Client, states chan<- *SubscribeReply) {
	defer s.stop()
	defer close(s.done)
	defer close(states)
	defer c.disconnect()
	defer watch(ctx, c.conn)()
	for {
		state := new(SubscribeReply)
		if err := receive(c.reader, state); err != nil {
			s.err = inContext(ctx, err)
			return
		}
		select {
		case states <- state:
		case <-ctx.Done():
			s.err = ctx.Err()
			return
		}
	}
}

// Close ends the subscription, and waits for its goroutine.
func (s *Subscription) Close() error {
	s.stop()
	<-s.done
	return nil
}

// Err returns why C was closed. It waits for that.
func (s *Subscription) Err() error {
	<-s.done
	return s.err
}
