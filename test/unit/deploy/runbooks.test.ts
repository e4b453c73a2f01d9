// deploy/runbooks.md has a section for each alert, with steps, and for nothing that is no alert.
import { documentsOf, fileOf } from './given-deploy.ts'

interface Alerts {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[]
}
const [alerts] = documentsOf<Alerts>(fileOf('prometheus/alerts.yml'))
const names = (alerts?.groups ?? []).flatMap(({ rules }) => rules.map(({ alert }) => alert))
const sections = new Map(
  fileOf('runbooks.md')
    .split(/^#+ /m)
    .map((text) => [text.split('\n', 1)[0] ?? '', text.split('\n').slice(1).join('\n').trim()]),
)

test('every alert has a runbook of its own name, with what to do', () => {
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => (sections.get(name)?.length ?? 0) < 80)).toEqual([])
})
test('every runbook is of an alert', () => {
  expect([...sections.keys()].filter((name) => name.startsWith('Mintfold') && !names.includes(name))).toEqual([])
})
