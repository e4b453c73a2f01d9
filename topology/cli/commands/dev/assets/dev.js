// Puts what mintfold dev finds in place as soon as it finds it. Without this script the page stays as it was sent.
const main = document.getElementById('main')
const lost = document.getElementById('lost')
const events = new EventSource('/events')

events.addEventListener('message', ({ data }) => {
  lost.hidden = true
  const fresh = new DOMParser().parseFromString(JSON.parse(data), 'text/html')
  main.replaceChildren(...fresh.body.childNodes)
})
events.addEventListener('error', () => {
  lost.hidden = false
})
