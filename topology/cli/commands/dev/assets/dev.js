// Replaces the content of the page whenever `mintfold dev` sends new results. Without this script the page does not update.
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
