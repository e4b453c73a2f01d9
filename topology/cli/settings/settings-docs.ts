// The meaning of each setting; deploy/README.md is generated from it (npm run documents).
import type { SettingName } from './settings.ts'

export interface SettingDoc {
  /** Markdown, in one line. */
  readonly meaning: string
  /** Markdown, for a default that depends on other settings or on the machine. */
  readonly fallback?: string
}

export const SETTING_DOCS: Readonly<Record<SettingName, SettingDoc>> = {
  MINTFOLD_DATA_DIR: { meaning: 'directory of the embedded log, the stores, the history, the payments and, on Kafka, the snapshots' },
  MINTFOLD_HOST: { meaning: 'address of the API; with payments `sandbox` or `off` only loopback is allowed' },
  MINTFOLD_PORT: { meaning: 'port of the API; 0 takes a free one and prints it' },
  MINTFOLD_BASE_URL: { meaning: 'the public address in every resource URL', fallback: '`http://HOST:PORT`' },
  MINTFOLD_CONTACT: {
    meaning: 'e-mail address or URL of the operator, published in `/openapi.json`, `/.well-known/x402` and `/terms`',
  },
  MINTFOLD_RATE_PER_MINUTE: {
    meaning: 'requests per minute of one caller address (IPv6: of a /64; of a /48 four times as many); more are answered 429',
  },
  MINTFOLD_RATE_PAID_PER_MINUTE: { meaning: 'payments per minute of one payer; more are answered 429' },
  MINTFOLD_TRUSTED_PROXIES: { meaning: 'reverse proxies whose `X-Forwarded-For` is trusted' },
  MINTFOLD_DRAIN_S: {
    meaning:
      'seconds for which `serve` still answers after SIGTERM, with `/ready` 503, so that load balancers move on before the port closes: ' +
      'more than the interval of their health checks times the failures that they wait for',
  },
  MINTFOLD_METRICS_HOST: {
    meaning:
      'address of the Prometheus metrics; in a container `0.0.0.0`, with a firewall or network policy: the page is open to anyone who reaches it',
  },
  MINTFOLD_METRICS_PORT: {
    meaning: 'port of the Prometheus metrics; a port that is set must be free',
    fallback: '`9464`, else a free one',
  },
  MINTFOLD_METRICS_HOSTS: {
    meaning:
      "names by which Prometheus may address the metrics, in addition to addresses, `localhost` and the machine's own name: other names are refused, because a web page could have them",
  },
  MINTFOLD_LOG_LEVEL: { meaning: 'level of the logs on stderr: JSON lines, one per request; readable text on a terminal' },
  MINTFOLD_PAYMENTS: {
    meaning: 'how answers are paid for',
    fallback: '`sandbox` for the demo and recordings, else `facilitator`',
  },
  MINTFOLD_FOLD_THREADS: {
    meaning:
      'threads that fold, each a share of the partitions, also in rebuilds: at most one thread per partition is started; on Kafka with `1` the main thread folds',
    fallback: 'number of cores minus 1, at least 1',
  },
  MINTFOLD_PARTITIONS: {
    meaning:
      'partitions of the log; fixed once the data directory or the topics exist (on Kafka `mintfold repartition` fills other topics)',
    fallback: '`4`; `12` on Kafka',
  },
  KAFKA_BROKERS: { meaning: 'Kafka instead of the embedded log: addresses of some brokers' },
  KAFKA_USERNAME: { meaning: 'SASL user of the brokers' },
  KAFKA_PASSWORD: { meaning: 'SASL password of the brokers' },
  KAFKA_SASL_MECHANISM: { meaning: 'SASL mechanism of the brokers', fallback: '`plain` with a user' },
  KAFKA_TLS: { meaning: 'whether connections to the brokers use TLS' },
  KAFKA_PLAIN_WITHOUT_TLS: {
    meaning:
      'with `true`, SASL PLAIN is used without TLS too, and the password crosses the network in clear text; else such a login is refused',
  },
  SCHEMA_REGISTRY_URL: { meaning: 'schema registry with the Confluent API; required with Kafka' },
  SCHEMA_REGISTRY_USERNAME: { meaning: 'user of the registry' },
  SCHEMA_REGISTRY_PASSWORD: { meaning: 'password of the registry' },
  MINTFOLD_TOPIC_PREFIX: { meaning: 'prefix of every topic, subject and transactional id on Kafka' },
  MINTFOLD_SINGLE_BROKER: {
    meaning:
      'with `true`, as with `--single-broker`, topics may have fewer than 3 copies or `min.insync.replicas` below 2, so that they are lost with ' +
      'a broker; else such topics are refused',
  },
  MINTFOLD_STANDBYS: {
    meaning: 'on Kafka, number of other `process` that keep the rows of each partition up to date and take it over in seconds; 0: none',
  },
  MINTFOLD_CLICKHOUSE_PORT: {
    meaning: 'port of the embedded ClickHouse, on loopback only; readers need the password of `mintfold sql --access`',
  },
  MINTFOLD_CLICKHOUSE_HOSTS: {
    meaning: 'names by which clients may address the embedded ClickHouse, in addition to `127.0.0.1` and `localhost`',
  },
  MINTFOLD_RAW_HOURS: { meaning: 'retention of raw frames, hours of stream time' },
  MINTFOLD_TAPE_DAYS: { meaning: 'retention of the tape, days of stream time' },
  MINTFOLD_HISTORY_DAYS: {
    meaning: 'days after their arrival for which trades, pool trades, transfers, funding, judgements and frames stay in the history',
  },
  MINTFOLD_DATA_GB: {
    meaning:
      'cap of the data directory, GB; at 90 % of it, or of what the disk can hold, old raw frames are dropped first, ' +
      'and a log line names them',
  },
  MINTFOLD_HISTORY_ACCESS: {
    meaning: 'path of the access file of `mintfold history` on another data directory, instead of `CLICKHOUSE_URL`',
  },
  CLICKHOUSE_URL: {
    meaning: 'a ClickHouse server from 25.8 on, instead of the embedded one; of a cluster, several servers, comma-separated',
  },
  CLICKHOUSE_CLUSTER: {
    meaning: 'name of the cluster of these servers, on which the history is replicated and split by mint; set it before the first start',
  },
  CLICKHOUSE_USERNAME: { meaning: 'user of that server' },
  CLICKHOUSE_PASSWORD: { meaning: 'password of that user' },
  CLICKHOUSE_DATABASE: { meaning: 'database of the history' },
  X402_FACILITATOR_URL: { meaning: 'the service that verifies and settles payments; required for `facilitator`' },
  X402_PAY_TO: { meaning: 'the wallet that is paid; required for `facilitator`' },
  X402_NETWORK: { meaning: 'the network on which the wallet is paid' },
  X402_RPC_URL: {
    meaning: 'node that is asked whether a payment’s blockhash is still valid, and on which uncertain settlements are looked up',
    fallback: '`SOLANA_RPC_URL`',
  },
  X402_PRICE_FACTOR: { meaning: 'multiplies every price' },
  X402_EVM_NETWORK: {
    meaning: 'a second network for the compact checks (USDC on an EVM chain), with payments `facilitator` only; set it with the next two',
  },
  X402_EVM_PAY_TO: { meaning: 'the wallet that is paid on the second network' },
  X402_EVM_FACILITATOR_URL: { meaning: 'facilitator of the second network' },
  X402_EVM_RPC_URL: { meaning: 'node on which uncertain settlements of the second network are looked up' },
  REDIS_URL: {
    meaning:
      'Redis in which several `serve` store payments and count the requests of callers together; it needs `appendonly yes`, ' +
      '`appendfsync always` and `maxmemory-policy noeviction`',
  },
  MINTFOLD_CURSOR_KEYS: {
    meaning: 'keys that sign cursors; several `serve` need the same',
    fallback: 'generated on the first start, in the data directory',
  },
  SOLANA_RPC_URL: {
    meaning:
      'JSON-RPC node of the primary chain: accounts for cards of mints that no fold covers (the demo answers from its own market), ' +
      'and the live chain',
  },
  SOLANA_WS_URL: { meaning: 'WebSocket of the JSON-RPC node, for slot notifications; without it the node is polled every 400 ms' },
  SOLANA_GRPC_URL: { meaning: 'the live chain by gRPC (Yellowstone), preferred if it is set' },
  SOLANA_GRPC_TOKEN: { meaning: 'token of the gRPC node' },
  SOLANA_CHECK_RPC_URL: { meaning: 'a second JSON-RPC node, of another provider: every block is compared with its copy there' },
  SOLANA_ACCEPT_FORK: { meaning: 'a branch to follow although it reverts final frames' },
  ALT_RPC_URL: { meaning: 'JSON-RPC node of the live alt chain (EVM chain 4663), which `--source live` plays if it is set' },
  ALT_WS_URL: { meaning: 'WebSocket that announces blocks of the alt chain; without it the node is polled every 250 ms' },
  ALT_CHECK_RPC_URL: {
    meaning:
      "a second JSON-RPC node of the alt chain, of another provider: the launchpad's logs of every block are compared with its copy there",
  },
  ALT_FACTORIES: {
    meaning:
      'factories whose curves count. If the value changes, the stores are folded again from the raw frames kept: launches of an ' +
      'added factory are known only as far back as these frames reach. Use the same value in every process',
    fallback: 'Pons V2',
  },
  ALT_ROUTERS: { meaning: 'path of a file with names by router address; use the same file in every process' },
}
