// Elements by id, new elements, and what leaves the page: the clipboard and files.

export const byId = (id) => document.getElementById(id);

/** A new element with attributes and children; a text is a child, too. */
export function make(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** The same for a drawing. */
export function draw(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

let fading;

/** A short message that goes away by itself. */
export function toast(text) {
  byId('toast').textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => { byId('toast').textContent = ''; }, 3500);
}

/** Copies a text, and says so. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages that are not on this machine have no clipboard of their own.
    const area = make('textarea', { 'aria-label': 'Text to copy' });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  toast(`${what} copied`);
}

/** Hands a text over as a file. */
export function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = make('a', { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Fills a list of choices, and keeps the one that was chosen if it is still there. */
export function fill(select, choices, chosen = select.value) {
  select.replaceChildren(...choices.map(({ value, text }) => make('option', { value }, text)));
  if (choices.some(({ value }) => value === chosen)) select.value = chosen;
}

/** 12345 as 12,345. */
export const grouped = (number) => Number(number).toLocaleString('en');

/** Seconds as people read them. */
export function seconds(time) {
  const digits = (number) => Number(number.toPrecision(3));
  if (time < 1e-3) return `${digits(time * 1e6)} µs`;
  return time < 1 ? `${digits(time * 1e3)} ms` : `${digits(time)} s`;
}

/** A number of things. */
export const counted = (number, thing) => `${grouped(number)} ${thing}${number === 1 ? '' : 's'}`;
