// Keeps the page fresh: asks for it again and puts the parts marked data-live in place. Without this script the page stands as it was sent.

/** Between two looks, milliseconds; twice as long after each failure, up to the maximum. */
const EVERY_MS = 5_000
const EVERY_MS_MAX = 60_000
const TIMEOUT_MS = 10_000

let waitMs = EVERY_MS
let isPaused = false
let timer

const button = document.createElement('button')
button.type = 'button'
button.className = 'live'
const header = document.querySelector('header')
const lost = document.createElement('p')
lost.className = 'lost'
lost.setAttribute('role', 'status')
header.append(button, lost)

const show = () => {
  button.textContent = isPaused ? 'Resume' : 'Pause'
  button.setAttribute('aria-label', isPaused ? 'Resume updates' : 'Pause updates, which come every 5 seconds')
}

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
  const response = await fetch('/', { headers: { Accept: 'text/html' }, signal: AbortSignal.timeout(TIMEOUT_MS) })
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
show()
next()
