// Process of the month soak: `days launchesPerDay seed`; prints a JSON line a day.
import { simulateDays } from './month/days.ts'

const [days, launchesPerDay, seed] = process.argv.slice(2).map(Number) as [number, number, number]
await simulateDays({ days, launchesPerDay, paymentsPerFrame: 4, seed }, (day) => process.stdout.write(`${JSON.stringify(day)}\n`))
