"use strict";
/* The page is complete without this: it adds a field that hides what does not contain a text. Print opens all parts. */
for (const part of document.querySelectorAll("[data-find]")) {
	const label = document.createElement("label"), input = document.createElement("input"), found = document.createElement("output");
	const items = [...part.querySelectorAll(part.dataset.items)];
	const texts = items.map(item => item.textContent.toLowerCase());
	input.type = "search";
	label.append(part.dataset.find + " ", input, " ", found);
	part.before(label);
	input.addEventListener("input", () => {
		const words = input.value.toLowerCase().split(/\s+/);
		let n = 0;
		items.forEach((item, i) => {
			item.hidden = !words.every(word => texts[i].includes(word));
			n += !item.hidden;
		});
		found.value = input.value ? n + " of " + items.length : "";
	});
}
addEventListener("keydown", event => {
	const first = document.querySelector("input");
	if (event.key !== "/" || !first || event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey)
		return;
	event.preventDefault();
	first.focus();
});
let closed = [];
addEventListener("beforeprint", () => {
	closed = [...document.querySelectorAll("details:not([open])")];
	closed.forEach(item => item.open = true);
});
addEventListener("afterprint", () => closed.forEach(item => item.open = false));
