// Scenarios of the official conformance suite that do not apply to this server, and why. All others have to pass. An entry names a
// scenario, or one check of a scenario by its id.

const ONLY_IN_THE_EXAMPLE = 'it calls tools, prompts or resources that only the example server of the suite has'
const REQUESTS_NOTHING = 'this server requests nothing from the client: no elicitation, no sampling, no roots'

export const notApplicable: readonly { readonly why: string; readonly names: readonly string[] }[] = [
  {
    why: ONLY_IN_THE_EXAMPLE,
    names: [
      ...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content'],
      ...['tools-call-error', 'tools-call-with-progress', 'resources-read-text', 'resources-read-binary'],
      ...['resources-templates-read', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource'],
      'prompts-get-with-image',
    ],
  },
  {
    why: 'it looks for the tool `json_schema_2020_12_tool` of the example server, whose input schema has references; no input schema of this server has one',
    names: ['json-schema-2020-12'],
  },
  {
    why: 'it calls `test_missing_capability` of the example server; no tool of this server needs a capability of the client',
    names: ['sep-2575-server-rejects-undeclared-capability', 'sep-2575-missing-capability-http-400'],
  },
  {
    why: 'it calls `test_streaming_elicitation` of the example server; this server answers in JSON, without a stream',
    names: ['sep-2575-http-server-no-independent-requests-on-stream'],
  },
  {
    why: 'it calls `test_logging_tool` of the example server; this server sends no log messages to clients',
    names: ['sep-2575-server-no-log-without-loglevel'],
  },
  {
    why: REQUESTS_NOTHING,
    names: [
      ...['tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
      ...['input-required-result-basic-elicitation', 'input-required-result-basic-sampling', 'input-required-result-basic-list-roots'],
      ...['input-required-result-request-state', 'input-required-result-multiple-input-requests', 'input-required-result-multi-round'],
      ...['input-required-result-missing-input-response', 'input-required-result-non-tool-request', 'input-required-result-result-type'],
      ...['input-required-result-tampered-state', 'input-required-result-capability-check', 'input-required-result-ignore-extra-params'],
    ],
  },
  { why: 'it sends no log messages, and declares no logging', names: ['logging-set-level', 'tools-call-with-logging'] },
  { why: 'the arguments are addresses, which cannot be completed; no completions are declared', names: ['completion-complete'] },
  {
    why: 'its resources do not change while it runs, and no subscription is declared',
    names: ['resources-subscribe', 'resources-unsubscribe'],
  },
  { why: 'no tool reads an argument from a header', names: ['http-custom-header-server-validation'] },
  {
    why: 'it has no sessions and answers in JSON, as both revisions allow: there is no stream to resume',
    names: ['server-sse-multiple-streams-session', 'server-sse-polling-session'],
  },
]
