// Copies what buttons name, and keeps the page fresh: asks for it again and puts the parts marked data-live in place. Without this script the
// page stays as it was sent.

/** Between two looks, milliseconds; twice as long after each failure, up to the maximum. */
const EVERY_MS = 5_000
const EVERY_MS_MAX = 60_000
const TIMEOUT_MS = 10_000
/** So long a button says that it copied. */
const COPIED_MS = 1_500

let waitMs = EVERY_MS
let isPaused = false
let timer

// Buttons that need this script are shown from now on.
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
  button.setAttribute('aria-label', isPaused ? 'Resume updates' : 'Pause updates, which come every 5 seconds')
}

const copy = async (from) => {
  try {
    await navigator.clipboard.writeText(from.dataset.copy)
    from.textContent = 'copied'
  } catch {
    // Pages that come without TLS from another machine may not: the text is marked, to be copied by hand.
    const code = from.parentElement.querySelector('code')
    if (code.title !== '') code.textContent = code.title
    getSelection().selectAllChildren(code)
    from.textContent = 'marked'
  }
  setTimeout(() => {
    from.textContent = 'copy'
  }, COPIED_MS)
}
document.addEventListener('click', (event) => {
  const from = event.target.closest('button.copy')
  if (from === null) return
  copy(from)
  // By pointer: a button that keeps the focus would keep its list from being replaced.
  if (event.detail > 0) from.blur()
})

const replaceParts = (fresh) => {
  for (const part of document.querySelectorAll('[data-live]')) {
    const newer = fresh.querySelector(`[data-live="${part.dataset.live}"]`)
    const isRead = part.contains(document.activeElement) || isSelected(part)
    if (newer !== null && !isRead && part.innerHTML !== newer.innerHTML) part.replaceChildren(...newer.childNodes)
  }
}

/** Whoever marks text wants to copy it. */
const isSelected = (part) => {
  const selection = document.getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(part, true)
}

const refresh = async () => {
  const response = await fetch(location.pathname, { headers: { Accept: 'text/html' }, signal: AbortSignal.timeout(TIMEOUT_MS) })
  // It starts anew: its page of that says what it does, and comes again by itself.
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
    lost.textContent = 'The server does not answer: these figures are old.'
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
// Pages whose content grows old; the one of a start is asked for again by the browser itself.
if (document.querySelector('main [data-live]') !== null) {
  header.querySelector('.pulse').after(button)
  header.append(lost)
  show()
  next()
}
