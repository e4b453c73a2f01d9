// Copies commands and saves the data. Without this script the page reads the same; what needs it is not shown.

/** So long a button says that it copied, milliseconds. */
const COPIED_MS = 1_500

document.documentElement.classList.add('scripted')

const copy = async (button) => {
  const code = button.parentElement.querySelector('code')
  try {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'copied'
  } catch {
    // A page without TLS may not write to the clipboard: the text is selected, to be copied by hand.
    getSelection().selectAllChildren(code)
    button.textContent = 'selected'
  }
  setTimeout(() => {
    button.textContent = 'copy'
  }, COPIED_MS)
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('button.copy')
  if (button !== null) copy(button)
})

const link = document.querySelector('a.save')
const data = document.querySelector('#report-data')
link.hidden = false
link.addEventListener('click', () => {
  const url = URL.createObjectURL(new Blob([data.textContent.trim(), '\n'], { type: 'application/json' }))
  link.href = url
  setTimeout(() => {
    URL.revokeObjectURL(url)
    link.href = '#data'
  }, COPIED_MS)
})
