// Texts with a copy button.
import { type Html, html } from './html.ts'

/** Hidden until the script runs, which does the copying. */
export const copyButton = (text: string, what: string): Html =>
  html`<button type="button" class="copy" data-copy="${text}" aria-label="Copy the ${what} ${text}">copy</button>`

/** A command with a copy button. Its lines may break after slashes, but not after the hyphens of an option. */
export const command = (text: string): Html => {
  const [first = '', ...rest] = text.split(' ').map(wordOf)
  return html`<pre class="command">${copyButton(text, 'command')}<code>${first}${rest.map((word) => html` ${word}`)}</code></pre>`
}
const wordOf = (word: string): Html => {
  if (word.startsWith('-')) return html`<span class="option">${word}</span>`
  const [first = '', ...rest] = word.split('/')
  return html`${first}${rest.map((part) => html`/<wbr>${part}`)}`
}

export const addressPart = (address: string): Html => html`<p class="address"><code>${address}</code> ${copyButton(address, 'address')}</p>`
