// Copies commands and saves the data. The page is complete without this script; controls that need it are hidden then.

/** A button shows its confirmation for this long, milliseconds. */
const COPIED_MS = 1_500

document.documentElement.classList.add('scripted')

const copy = async (button) => {
  const code = button.parentElement.querySelector('code')
  try {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'copied'
  } catch {
    // A page without TLS may not write to the clipboard: the text is selected, so that the user can copy it.
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
