// Runs the copy buttons, and refreshes the page: fetches it again and replaces the elements marked `data-live`. Without this script the page
// does not change.

/** Between two refreshes, milliseconds; doubled after each failure, up to the maximum. */
const EVERY_MS = 5_000
const EVERY_MS_MAX = 60_000
const TIMEOUT_MS = 10_000
/** How long a button reads `copied`. */
const COPIED_MS = 1_500

let waitMs = EVERY_MS
let isPaused = false
let timer

// Shows the buttons that need this script.
document.documentElement.classList.add('scripted')
const button = document.createElement('button')
button.type = 'button'
button.className = 'live'
const header = document.querySelector('header')
const lost = document.createElement('p')
lost.className = 'lost'
lost.setAttribute('role', 'status')

const show = () => {
  button.textContent = isPaused ? 'Resume' : 'Pause'
  button.setAttribute('aria-label', isPaused ? 'Resume updates' : 'Pause updates (every 5 seconds)')
}

const copy = async (from) => {
  try {
    await navigator.clipboard.writeText(from.dataset.copy)
    from.textContent = 'copied'
  } catch {
    // Browsers deny clipboard access to pages without TLS from another machine: selects the text for copying by hand.
    const code = from.parentElement.querySelector('code')
    if (code.title !== '') code.textContent = code.title
    getSelection().selectAllChildren(code)
    from.textContent = 'selected'
  }
  setTimeout(() => {
    from.textContent = 'copy'
  }, COPIED_MS)
}
document.addEventListener('click', (event) => {
  const from = event.target.closest('button.copy')
  if (from === null) return
  copy(from)
  // A pointer's click: a button that keeps the focus would block its list from being refreshed.
  if (event.detail > 0) from.blur()
})

const replaceParts = (fresh) => {
  for (const part of document.querySelectorAll('[data-live]')) {
    const newer = fresh.querySelector(`[data-live="${part.dataset.live}"]`)
    const isRead = part.contains(document.activeElement) || isSelected(part)
    if (newer !== null && !isRead && part.innerHTML !== newer.innerHTML) part.replaceChildren(...newer.childNodes)
  }
}

/** Selected text is not replaced: the user may want to copy it. */
const isSelected = (part) => {
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(part, true)
}

const refresh = async () => {
  const response = await fetch(location.pathname, { headers: { Accept: 'text/html' }, signal: AbortSignal.timeout(TIMEOUT_MS) })
  // The server restarts: its startup page shows the progress and reloads by itself.
  if (response.status === 503) return location.reload()
  if (!response.ok) throw new Error(`status ${response.status}`)
  replaceParts(new DOMParser().parseFromString(await response.text(), 'text/html'))
}

const next = () => {
  clearTimeout(timer)
  if (!isPaused && !document.hidden) timer = setTimeout(look, waitMs)
}

const look = async () => {
  try {
    await refresh()
    waitMs = EVERY_MS
    lost.textContent = ''
  } catch {
    waitMs = Math.min(EVERY_MS_MAX, waitMs * 2)
    lost.textContent = 'The server does not respond: these figures are old.'
  }
  next()
}

button.addEventListener('click', () => {
  isPaused = !isPaused
  show()
  if (isPaused) next()
  else look()
})
document.addEventListener('visibilitychange', () => (document.hidden ? next() : isPaused || look()))
// Only pages with live content; the browser itself reloads the startup page.
if (document.querySelector('main [data-live]') !== null) {
  header.querySelector('.pulse').after(button)
  header.append(lost)
  show()
  next()
}
