// The paid question about alerts.
import { alertParams, alertPrecheck, answerAlert, beginAlert, checkAlert } from '../../alerts/question.ts'
import { alwaysFull } from '../../answers/coverage-now.ts'
import { type Question, question } from '../../answers/question.ts'

export const alertQuestions: readonly Question[] = [
  question({
    path: '/v1/alerts/webhook',
    schema: 'AlertAnswer',
    title: 'Alerts pushed for 30 days',
    priceMicroUsdc: 100_000,
    params: alertParams,
    coverageRule:
      'always full: not about a mint. Refused without charge (503) if kinds includes graduation_odds while these odds are not shown',
    typical: { latencyMs: null, freshnessS: null },
    description:
      'Alerts to a webhook or a chat for 30 days: mints whose odds of graduation reach your minimum, and rug flags. Time without odds is added to the term.',
    example:
      '/v1/alerts/webhook?kinds=graduation_odds&target=telegram&chat_id=%40my_channel&bot_token=123456%3Areplace-with-the-token-of-your-bot&min_odds=0.6',
    answer: answerAlert,
    precheck: alertPrecheck,
    check: checkAlert,
    settled: beginAlert,
    coverage: alwaysFull,
  }),
]
