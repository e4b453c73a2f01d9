// Made from /openapi.json by `npm run documents`: not for editing.

export interface paths {
  '/v1/mint/{mint}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          mint: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['MintAnswer'] } }
        400: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        402: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['PaymentRequired'] } }
        404: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        409: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        422: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ValidationError'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/launches/recent': {
    get: {
      parameters: {
        query?: {
          limit?: number
          max_age_s?: number
          exclude_mayhem?: boolean
          min_rs?: number
          only_alive?: boolean
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['LaunchesAnswer'] } }
        400: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        402: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['PaymentRequired'] } }
        409: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        422: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ValidationError'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/rugs/recent': {
    get: {
      parameters: {
        query?: {
          limit?: number
          window_s?: number
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['RugsAnswer'] } }
        400: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        402: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['PaymentRequired'] } }
        409: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        422: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ValidationError'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/graduations/recent': {
    get: {
      parameters: {
        query?: {
          limit?: number
          window_s?: number
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['GraduationsAnswer'] } }
        400: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        402: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['PaymentRequired'] } }
        409: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        422: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ValidationError'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/creator/{address}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          address: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['CreatorAnswer'] } }
        400: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        402: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['PaymentRequired'] } }
        404: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        409: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        422: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ValidationError'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/wallet/{address}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          address: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['WalletAnswer'] } }
        400: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        402: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['PaymentRequired'] } }
        404: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        409: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        422: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ValidationError'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/check/mint/{mint}': {
    get: {
      parameters: {
        query?: {
          cursor?: string
        }
        header?: never
        path: {
          mint: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['CheckAnswer'] } }
        400: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        402: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['PaymentRequired'] } }
        404: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        409: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        410: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        422: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ValidationError'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/check/watchlist': {
    get: {
      parameters: {
        query: {
          mints: string
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['CheckAnswer'] } }
        400: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        402: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['PaymentRequired'] } }
        404: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        409: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        410: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        422: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ValidationError'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/check/coverage': {
    get: {
      parameters: {
        query: {
          mints: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['CheckCoverageAnswer'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        422: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ValidationError'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/check/watch': {
    get: {
      parameters: {
        query: {
          mints: string
          cursor?: string
        }
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['WatchAnswer'] } }
        404: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        410: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        422: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ValidationError'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/evidence/{finding_id}': {
    get: {
      parameters: {
        query?: never
        header?: never
        path: {
          finding_id: string
        }
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['EvidenceAnswer'] } }
        404: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['IndexAnswer'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/health': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['HealthAnswer'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['HealthAnswer'] } }
      }
    }
  }
  '/v1/labels': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['LabelsAnswer'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/market/regime': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['RegimeAnswer'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/sample/launches': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['SampleLaunchesAnswer'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/sample/rugs': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['SampleRugsAnswer'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/sample/mint': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['MintAnswer'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/x402/resources': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['CatalogAnswer'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/.well-known/x402': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ManifestAnswer'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/openapi.json': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Readonly<Record<string, unknown>> } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/.well-known/agent-card.json': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Readonly<Record<string, unknown>> } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/.well-known/agent.json': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Readonly<Record<string, unknown>> } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/mcp/server-card': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/mcp-server-card+json': Readonly<Record<string, unknown>> } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/.well-known/mcp/server-card.json': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/json': Readonly<Record<string, unknown>> } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/.well-known/ai-catalog.json': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/ai-catalog+json': Readonly<Record<string, unknown>> } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/.well-known/mcp/catalog.json': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'application/ai-catalog+json': Readonly<Record<string, unknown>> } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/llms.txt': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/plain': string } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/llms-full.txt': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/plain': string } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/robots.txt': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/plain': string } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/terms': {
    get: {
      parameters: {
        query?: never
        header?: never
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/plain': string } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
  '/v1/stream/flags': {
    get: {
      parameters: {
        query?: {
          after?: string
        }
        header?: {
          "Last-Event-ID"?: string
        }
        path?: never
        cookie?: never
      }
      requestBody?: never
      responses: {
        200: { headers: Record<string, unknown>; content: { 'text/event-stream': components['schemas']['StreamEvent'] } }
        413: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        414: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        422: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['ValidationError'] } }
        429: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        431: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        500: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
        503: { headers: Record<string, unknown>; content: { 'application/json': components['schemas']['Refusal'] } }
      }
    }
  }
}

export interface components {
  schemas: {
    FullMintCard: {
      readonly mint: string
      readonly name: string
      readonly symbol: string
      readonly creator: string
      readonly creator_is_wallet: boolean
      readonly created_at: number
      readonly age_s: number
      readonly dev_wallets: (string)[]
      readonly coverage: "full"
      readonly status: "live_curve" | "curve_complete" | "migrated_graduated" | "migrated_below_grad" | "historical" | "onchain_only" | "not_launchpad" | "not_observed"
      readonly risk_label: "unknown" | "rug_flagged" | "mayhem" | "concentrated" | "stalled" | "active"
      readonly why: (string)[]
      readonly curve: {
        readonly rs_sol: number | null
        readonly rs_sol_reason?: string
        readonly rs_at_migration_sol: number | null
        readonly rs_at_migration_sol_reason?: string
        readonly peak_rs_sol: number | null
        readonly peak_rs_sol_reason?: string
        readonly progress: number | null
        readonly progress_reason?: string
        readonly drawdown_from_peak: number | null
        readonly drawdown_from_peak_reason?: string
        readonly complete: boolean
        readonly migrated: boolean
        readonly graduated: boolean | null
        readonly graduated_reason?: string
        readonly is_mayhem: boolean
        readonly dev_buy_sol: number | null
        readonly dev_buy_sol_reason?: string
        readonly quote_mint: string
        readonly pool?: string
      }
      readonly pool: {
        readonly address: string
        readonly opened_at: number
        readonly opening_quote_sol: number | null
        readonly opening_quote_sol_reason?: string
        readonly quote_sol: number | null
        readonly quote_sol_reason?: string
        readonly quote_share: number
        readonly tokens: number
        readonly n_trades: number
        readonly last_event_at: number
      } | null
      readonly pool_reason?: string
      readonly demand: {
        readonly unique_buyers: number
        readonly buys_60s: number
        readonly sells_60s: number
        readonly net_sol_60s: number | null
        readonly net_sol_60s_reason?: string
        readonly inflow_stalled: boolean
        readonly n_buys: number
        readonly n_sells: number
        readonly last_trade_at: number | null
        readonly last_trade_at_reason?: string
      }
      readonly holders: {
        readonly n_holders: number | null
        readonly n_holders_reason?: string
        readonly top5_share: number | null
        readonly top5_share_reason?: string
        readonly hhi: number | null
        readonly hhi_reason?: string
        readonly dev_share: number | null
        readonly dev_share_reason?: string
        readonly bundle_share: number | null
        readonly bundle_share_reason?: string
        readonly insider_share: number | null
        readonly n_bundle_wallets: number
        readonly bundle_dumped: boolean
        readonly supply_tokens: number
        readonly supply_tokens_reason?: string
        readonly circulating_tokens: number | null
        readonly circulating_tokens_reason?: string
        readonly insider_share_reason?: string
        readonly n_insider_wallets?: number
        readonly insiders?: ({
          readonly wallet: string
          readonly rules: ("a" | "b" | "c")[]
          readonly tokens_share: number
        })[]
        readonly entities?: {
          readonly n_entities: number
          readonly n_joined_wallets: number
          readonly top1_share: number
          readonly top5_share: number
          readonly hhi: number | null
          readonly hhi_reason?: string
          readonly largest: ({
            readonly n_wallets: number
            readonly tokens_share: number
            readonly wallets: (string)[]
            readonly joins: ({
              readonly by: "funder" | "transaction" | "handed_over"
              readonly wallets: (string)[]
              readonly funder?: string
              readonly slot?: number
              readonly tx_index?: number
            })[]
          })[]
        }
      }
      readonly exit_signals: {
        readonly creator_sold: boolean
        readonly top5_holder_sold_recent: boolean | null
        readonly top5_holder_sold_recent_reason?: string
        readonly inflow_stalled: boolean
        readonly progress_reversed: boolean | null
        readonly progress_reversed_reason?: string
      }
      readonly creator_prior_at_launch: {
        readonly n_launches: number
        readonly n_resolved: number
        readonly grad_rate: number | null
        readonly grad_rate_reason?: string
        readonly rug_rate: number | null
        readonly rug_rate_reason?: string
        readonly median_dev_sell_s: number | null
        readonly median_dev_sell_s_reason?: string
        readonly is_first_time: boolean
        readonly observed_since: number | null
        readonly observed_since_reason?: string
      } | null
      readonly creator_prior_at_launch_reason?: string
      readonly creator_prior_of: string | null
      readonly creator_prior_of_reason?: string
      readonly warm_launch: {
        readonly funder: string
        readonly amount_sol: number
        readonly funded_at: number
        readonly seconds_before_launch: number
        readonly position: string
        readonly funder_is_creator: boolean | null
        readonly funder_is_creator_reason?: string
        readonly funder_prior: {
          readonly n_launches: number
          readonly rug_rate: number | null
          readonly rug_rate_reason?: string
        } | null
        readonly funder_prior_reason?: string
      } | null
      readonly warm_launch_reason?: string
      readonly rug_flags: ({
        readonly flag: components['schemas']['Flag']
        readonly first_seen_at: number
        readonly position: string
        readonly finding_id: string
        readonly detector_id: string
        readonly detector_version: number
        readonly finality: "processed" | "confirmed" | "finalized"
        readonly evidence: components['schemas']['FlagEvidence']
      })[]
      readonly flags: components['schemas']['CardFlags']
      readonly creator_changes: ({
        readonly creator: string
        readonly kind: string
        readonly at: number
        readonly position: string
      })[]
      readonly outcome: {
        readonly mint: string
        readonly creator: string
        readonly t0: number
        readonly slot0: number
        readonly settled_at: number
        readonly settled_by: string
        readonly graduated: boolean | null
        readonly graduated_reason?: string
        readonly rugged: boolean | null
        readonly rugged_reason?: string
        readonly rug_kind: string | null
        readonly rug_kind_reason?: string
        readonly rug_dt_s: number | null
        readonly rug_dt_s_reason?: string
        readonly peak_rs: number | null
        readonly peak_rs_reason?: string
        readonly terminal_rs: number | null
        readonly terminal_rs_reason?: string
        readonly dev_first_sell_dt_s: number | null
        readonly dev_first_sell_dt_s_reason?: string
        readonly dev_buy_sol: number | null
        readonly dev_buy_sol_reason?: string
        readonly reached_5_sol: boolean | null
        readonly reached_5_sol_reason?: string
        readonly n_trades: number
        readonly n_buyers: number
        readonly is_mayhem: boolean
        readonly self_graduated: boolean
        readonly censored: string | null
        readonly censored_reason?: string
        readonly reopened_at: number | null
        readonly reopened_at_reason?: string
      } | null
      readonly outcome_reason?: string
      readonly as_of: {
        readonly position: string
        readonly at: number
      }
      readonly confidence: "high" | "medium" | "low"
      readonly base_rates: {
        readonly window_days: number
        readonly launches: number
        readonly grad_rate: number | null
        readonly grad_rate_reason?: string
        readonly rug_rate: number | null
        readonly rug_rate_reason?: string
        readonly dev_sold_rate: number | null
        readonly dev_sold_rate_reason?: string
        readonly reached_5_sol_rate: number | null
        readonly reached_5_sol_rate_reason?: string
        readonly as_of: number
      } | null
      readonly base_rates_reason?: string
      readonly next: {
        readonly creator: string | null
        readonly creator_reason?: string
        readonly regime: string | null
        readonly regime_reason?: string
        readonly wallet: string | null
        readonly wallet_reason?: string
        readonly rugs: string | null
        readonly rugs_reason?: string
      }
    }
    ThinMintCard: {
      readonly mint: string
      readonly name?: string
      readonly symbol?: string
      readonly created_at?: number
      readonly age_s?: number
      readonly creator: string | null
      readonly creator_reason?: string
      readonly creator_is_wallet: boolean | null
      readonly creator_is_wallet_reason?: string
      readonly coverage: "thin"
      readonly coverage_reason: string
      readonly coverage_range?: {
        readonly from_slot: number
        readonly to_slot: number
      }
      readonly status: "live_curve" | "curve_complete" | "migrated_graduated" | "migrated_below_grad" | "historical" | "onchain_only" | "not_launchpad" | "not_observed"
      readonly risk_label: "unknown" | "rug_flagged" | "mayhem" | "concentrated" | "stalled" | "active"
      readonly why: (string)[]
      readonly history: {
        readonly mint: string
        readonly creator: string
        readonly t0: number
        readonly slot0: number
        readonly settled_at: number
        readonly settled_by: string
        readonly graduated: boolean | null
        readonly graduated_reason?: string
        readonly rugged: boolean | null
        readonly rugged_reason?: string
        readonly rug_kind: string | null
        readonly rug_kind_reason?: string
        readonly rug_dt_s: number | null
        readonly rug_dt_s_reason?: string
        readonly peak_rs: number | null
        readonly peak_rs_reason?: string
        readonly terminal_rs: number | null
        readonly terminal_rs_reason?: string
        readonly dev_first_sell_dt_s: number | null
        readonly dev_first_sell_dt_s_reason?: string
        readonly dev_buy_sol: number | null
        readonly dev_buy_sol_reason?: string
        readonly reached_5_sol: boolean | null
        readonly reached_5_sol_reason?: string
        readonly n_trades: number
        readonly n_buyers: number
        readonly is_mayhem: boolean
        readonly self_graduated: boolean
        readonly censored: string | null
        readonly censored_reason?: string
        readonly reopened_at: number | null
        readonly reopened_at_reason?: string
      } | null
      readonly history_reason?: string
      readonly onchain: {
        readonly slot: number
        readonly exists: boolean
        readonly is_token_mint: boolean | null
        readonly is_token_mint_reason?: string
        readonly name: string | null
        readonly name_reason?: string
        readonly symbol: string | null
        readonly symbol_reason?: string
        readonly token_program: string | null
        readonly token_program_reason?: string
        readonly decimals: number | null
        readonly decimals_reason?: string
        readonly supply_ui: number | null
        readonly supply_ui_reason?: string
        readonly mint_authority: string | null
        readonly mint_authority_reason?: string
        readonly freeze_authority: string | null
        readonly freeze_authority_reason?: string
        readonly hazards: ("mint_authority" | "freeze_authority" | "default_frozen" | "permanent_delegate" | "transfer_fee" | "transfer_hook" | "pausable" | "non_transferable")[] | null
        readonly hazards_reason?: string
        readonly extensions: ({
          readonly name: string
          readonly basis_points?: number
          readonly from_epoch?: number
          readonly before_basis_points?: number
          readonly max_ui?: number
          readonly authority?: string | null
          readonly authority_reason?: string
          readonly program?: string | null
          readonly program_reason?: string
          readonly delegate?: string | null
          readonly delegate_reason?: string
          readonly frozen?: boolean
          readonly paused?: boolean
        })[] | null
        readonly extensions_reason?: string
        readonly launchpad: {
          readonly is_launchpad: boolean | null
          readonly is_launchpad_reason?: string
          readonly bonding_curve: string
          readonly complete: boolean | null
          readonly complete_reason?: string
          readonly real_sol_reserves_sol: number | null
          readonly real_sol_reserves_sol_reason?: string
          readonly virtual_sol_reserves_sol: number | null
          readonly virtual_sol_reserves_sol_reason?: string
          readonly progress: number | null
          readonly progress_reason?: string
          readonly price_sol_per_token: number | null
          readonly price_sol_per_token_reason?: string
          readonly market_cap_sol: number | null
          readonly market_cap_sol_reason?: string
          readonly creator: string | null
          readonly creator_reason?: string
          readonly cashback_enabled: boolean | null
          readonly cashback_enabled_reason?: string
          readonly is_mayhem_supply: boolean | null
          readonly is_mayhem_supply_reason?: string
          readonly quote_mint: string | null
          readonly quote_mint_reason?: string
        } | null
        readonly launchpad_reason?: string
      } | null
      readonly onchain_reason?: string
      readonly creator_prior: {
        readonly n_launches: number
        readonly grad_rate: number | null
        readonly grad_rate_reason?: string
        readonly rug_rate: number | null
        readonly rug_rate_reason?: string
      } | null
      readonly creator_prior_reason?: string
      readonly creator_prior_of: string | null
      readonly creator_prior_of_reason?: string
      readonly last_seen?: {
        readonly position: string
        readonly at: number
        readonly rs_sol: number | null
        readonly rs_sol_reason?: string
        readonly complete: boolean
        readonly migrated: boolean
        readonly is_mayhem: boolean
      }
      readonly rug_flags?: ({
        readonly flag: components['schemas']['Flag']
        readonly first_seen_at: number
        readonly position: string
        readonly finding_id: string
        readonly detector_id: string
        readonly detector_version: number
        readonly finality: "processed" | "confirmed" | "finalized"
        readonly evidence: components['schemas']['FlagEvidence']
      })[]
      readonly flags_fired?: (components['schemas']['Flag'])[]
      readonly confidence: "high" | "medium" | "low"
      readonly base_rates: {
        readonly window_days: number
        readonly launches: number
        readonly grad_rate: number | null
        readonly grad_rate_reason?: string
        readonly rug_rate: number | null
        readonly rug_rate_reason?: string
        readonly dev_sold_rate: number | null
        readonly dev_sold_rate_reason?: string
        readonly reached_5_sol_rate: number | null
        readonly reached_5_sol_rate_reason?: string
        readonly as_of: number
      } | null
      readonly base_rates_reason?: string
      readonly next: {
        readonly creator: string | null
        readonly creator_reason?: string
        readonly regime: string | null
        readonly regime_reason?: string
      }
    }
    FullLaunch: {
      readonly mint: string
      readonly name: string
      readonly symbol: string
      readonly creator: string
      readonly creator_is_wallet: boolean
      readonly created_at: number
      readonly age_s: number
      readonly coverage: "full"
      readonly status: "live_curve" | "curve_complete" | "migrated_graduated" | "migrated_below_grad" | "historical" | "onchain_only" | "not_launchpad" | "not_observed"
      readonly risk_label: "unknown" | "rug_flagged" | "mayhem" | "concentrated" | "stalled" | "active"
      readonly curve: {
        readonly rs_sol: number | null
        readonly rs_sol_reason?: string
        readonly rs_at_migration_sol: number | null
        readonly rs_at_migration_sol_reason?: string
        readonly peak_rs_sol: number | null
        readonly peak_rs_sol_reason?: string
        readonly progress: number | null
        readonly progress_reason?: string
        readonly drawdown_from_peak: number | null
        readonly drawdown_from_peak_reason?: string
        readonly complete: boolean
        readonly migrated: boolean
        readonly graduated: boolean | null
        readonly graduated_reason?: string
        readonly is_mayhem: boolean
        readonly dev_buy_sol: number | null
        readonly dev_buy_sol_reason?: string
        readonly quote_mint: string
        readonly pool?: string
      }
      readonly demand: {
        readonly unique_buyers: number
        readonly buys_60s: number
        readonly sells_60s: number
        readonly net_sol_60s: number | null
        readonly net_sol_60s_reason?: string
        readonly inflow_stalled: boolean
        readonly n_buys: number
        readonly n_sells: number
        readonly last_trade_at: number | null
        readonly last_trade_at_reason?: string
      }
      readonly holders: {
        readonly n_holders: number | null
        readonly n_holders_reason?: string
        readonly top5_share: number | null
        readonly top5_share_reason?: string
        readonly hhi: number | null
        readonly hhi_reason?: string
        readonly dev_share: number | null
        readonly dev_share_reason?: string
        readonly bundle_share: number | null
        readonly bundle_share_reason?: string
        readonly insider_share: number | null
        readonly n_bundle_wallets: number
        readonly bundle_dumped: boolean
        readonly supply_tokens: number
        readonly supply_tokens_reason?: string
        readonly circulating_tokens: number | null
        readonly circulating_tokens_reason?: string
        readonly insider_share_reason?: string
        readonly n_insider_wallets?: number
        readonly insiders?: ({
          readonly wallet: string
          readonly rules: ("a" | "b" | "c")[]
          readonly tokens_share: number
        })[]
        readonly entities?: {
          readonly n_entities: number
          readonly n_joined_wallets: number
          readonly top1_share: number
          readonly top5_share: number
          readonly hhi: number | null
          readonly hhi_reason?: string
          readonly largest: ({
            readonly n_wallets: number
            readonly tokens_share: number
            readonly wallets: (string)[]
            readonly joins: ({
              readonly by: "funder" | "transaction" | "handed_over"
              readonly wallets: (string)[]
              readonly funder?: string
              readonly slot?: number
              readonly tx_index?: number
            })[]
          })[]
        }
      }
      readonly creator_prior_at_launch: {
        readonly n_launches: number
        readonly n_resolved: number
        readonly grad_rate: number | null
        readonly grad_rate_reason?: string
        readonly rug_rate: number | null
        readonly rug_rate_reason?: string
        readonly median_dev_sell_s: number | null
        readonly median_dev_sell_s_reason?: string
        readonly is_first_time: boolean
        readonly observed_since: number | null
        readonly observed_since_reason?: string
      } | null
      readonly creator_prior_at_launch_reason?: string
      readonly creator_prior_of: string | null
      readonly creator_prior_of_reason?: string
      readonly warm_launch: {
        readonly funder: string
        readonly amount_sol: number
        readonly funded_at: number
        readonly seconds_before_launch: number
        readonly position: string
        readonly funder_is_creator: boolean | null
        readonly funder_is_creator_reason?: string
        readonly funder_prior: {
          readonly n_launches: number
          readonly rug_rate: number | null
          readonly rug_rate_reason?: string
        } | null
        readonly funder_prior_reason?: string
      } | null
      readonly warm_launch_reason?: string
      readonly rug_flags: ({
        readonly flag: components['schemas']['Flag']
        readonly first_seen_at: number
        readonly position: string
        readonly finding_id: string
        readonly detector_id: string
        readonly detector_version: number
        readonly finality: "processed" | "confirmed" | "finalized"
        readonly evidence: components['schemas']['FlagEvidence']
      })[]
    }
    ThinLaunch: {
      readonly mint: string
      readonly name: string
      readonly symbol: string
      readonly creator: string
      readonly creator_is_wallet: boolean
      readonly created_at: number
      readonly age_s: number
      readonly coverage: "thin"
      readonly coverage_reason: string
      readonly status: "live_curve" | "curve_complete" | "migrated_graduated" | "migrated_below_grad" | "historical" | "onchain_only" | "not_launchpad" | "not_observed"
      readonly risk_label: "unknown" | "rug_flagged" | "mayhem" | "concentrated" | "stalled" | "active"
      readonly curve: {
        readonly position: string
        readonly at: number
        readonly rs_sol: number | null
        readonly rs_sol_reason?: string
        readonly complete: boolean
        readonly migrated: boolean
        readonly is_mayhem: boolean
      }
      readonly demand: null
      readonly demand_reason: string
      readonly holders: null
      readonly holders_reason: string
      readonly creator_prior_at_launch: {
        readonly n_launches: number
        readonly n_resolved: number
        readonly grad_rate: number | null
        readonly grad_rate_reason?: string
        readonly rug_rate: number | null
        readonly rug_rate_reason?: string
        readonly median_dev_sell_s: number | null
        readonly median_dev_sell_s_reason?: string
        readonly is_first_time: boolean
        readonly observed_since: number | null
        readonly observed_since_reason?: string
      } | null
      readonly creator_prior_at_launch_reason?: string
      readonly creator_prior_of: string | null
      readonly creator_prior_of_reason?: string
      readonly warm_launch: {
        readonly funder: string
        readonly amount_sol: number
        readonly funded_at: number
        readonly seconds_before_launch: number
        readonly position: string
        readonly funder_is_creator: boolean | null
        readonly funder_is_creator_reason?: string
        readonly funder_prior: {
          readonly n_launches: number
          readonly rug_rate: number | null
          readonly rug_rate_reason?: string
        } | null
        readonly funder_prior_reason?: string
      } | null
      readonly warm_launch_reason?: string
      readonly rug_flags: ({
        readonly flag: components['schemas']['Flag']
        readonly first_seen_at: number
        readonly position: string
        readonly finding_id: string
        readonly detector_id: string
        readonly detector_version: number
        readonly finality: "processed" | "confirmed" | "finalized"
        readonly evidence: components['schemas']['FlagEvidence']
      })[]
    }
    Launch: components['schemas']['FullLaunch'] | components['schemas']['ThinLaunch']
    Rug: {
      readonly t: number
      readonly mint: string
      readonly name: string | null
      readonly name_reason?: string
      readonly symbol: string | null
      readonly symbol_reason?: string
      readonly creator: string | null
      readonly creator_reason?: string
      readonly creator_is_wallet: boolean | null
      readonly creator_is_wallet_reason?: string
      readonly flag: components['schemas']['Flag']
      readonly detail: components['schemas']['FlagEvidence']
      readonly mint_age_at_flag_s: number | null
      readonly mint_age_at_flag_s_reason?: string
      readonly position: string
      readonly finding_id: string
      readonly finality: "processed" | "confirmed" | "finalized"
      readonly creator_prior: {
        readonly n_launches: number
        readonly grad_rate: number | null
        readonly grad_rate_reason?: string
        readonly rug_rate: number | null
        readonly rug_rate_reason?: string
      } | null
      readonly creator_prior_reason?: string
      readonly creator_prior_of: string | null
      readonly creator_prior_of_reason?: string
    }
    Graduation: {
      readonly mint: string
      readonly name: string | null
      readonly name_reason?: string
      readonly symbol: string | null
      readonly symbol_reason?: string
      readonly creator: string
      readonly creator_is_wallet: boolean
      readonly migrate_t: number
      readonly graduated: boolean | null
      readonly graduated_reason?: string
      readonly curve: {
        readonly peak_rs_sol: number | null
        readonly peak_rs_sol_reason?: string
        readonly pool: string
      }
      readonly position: string
      readonly finality: "processed" | "confirmed" | "finalized"
      readonly holders: {
        readonly n_holders: number | null
        readonly n_holders_reason?: string
        readonly top5_share: number | null
        readonly top5_share_reason?: string
        readonly bundle_share: number | null
        readonly bundle_share_reason?: string
        readonly insider_share: number | null
        readonly insider_share_reason?: string
      } | null
      readonly holders_reason?: string
      readonly creator_prior_at_launch: {
        readonly n_launches: number
        readonly n_resolved: number
        readonly grad_rate: number | null
        readonly grad_rate_reason?: string
        readonly rug_rate: number | null
        readonly rug_rate_reason?: string
        readonly median_dev_sell_s: number | null
        readonly median_dev_sell_s_reason?: string
        readonly is_first_time: boolean
        readonly observed_since: number | null
        readonly observed_since_reason?: string
      } | null
      readonly creator_prior_at_launch_reason?: string
      readonly creator_prior_of: string | null
      readonly creator_prior_of_reason?: string
    }
    CheckItem: {
      readonly mint: string
      readonly status: "flags_observed" | "no_flags_observed"
      readonly lifecycle: "live_curve" | "curve_complete" | "migrated_graduated" | "migrated_below_grad" | "historical" | "onchain_only" | "not_launchpad" | "not_observed"
      readonly risk_label: "unknown" | "rug_flagged" | "mayhem" | "concentrated" | "stalled" | "active"
      readonly new_events: (components['schemas']['WatchEvent'])[]
      readonly findings: ({
        readonly code: components['schemas']['Flag']
        readonly first_seen_at: number | null
        readonly first_seen_at_reason?: string
        readonly finding_id: string
        readonly finality: "processed" | "confirmed" | "finalized"
        readonly is_new: boolean
        readonly evidence: components['schemas']['FlagEvidence']
      })[]
      readonly snapshot_slot: number | null
      readonly snapshot_slot_reason?: string
      readonly last_trade_at: number | null
      readonly last_trade_at_reason?: string
      readonly concentration: {
        readonly top5_share: number | null
        readonly top5_share_reason?: string
        readonly dev_share: number | null
        readonly dev_share_reason?: string
        readonly bundle_share: number | null
        readonly bundle_share_reason?: string
        readonly insider_share: number | null
        readonly insider_share_reason?: string
      }
      readonly buyer_flow: {
        readonly unique_buyers_60s: number | null
        readonly unique_buyers_60s_reason?: string
        readonly buys_60s: number | null
        readonly buys_60s_reason?: string
        readonly sells_60s: number | null
        readonly sells_60s_reason?: string
        readonly net_sol_60s: number | null
        readonly net_sol_60s_reason?: string
        readonly inflow_stalled: boolean | null
        readonly inflow_stalled_reason?: string
      }
      readonly curve: {
        readonly rs_sol: number | null
        readonly rs_sol_reason?: string
        readonly peak_rs_sol: number | null
        readonly peak_rs_sol_reason?: string
        readonly drawdown_from_peak: number | null
        readonly drawdown_from_peak_reason?: string
        readonly graduated: boolean | null
        readonly graduated_reason?: string
      }
      readonly full_card_url: string
    }
    MintAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: components['schemas']['FullMintCard']
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    } | {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "thin"
      readonly data: components['schemas']['ThinMintCard']
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    LaunchesAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly count: number
        readonly items: (components['schemas']['Launch'])[]
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    } | {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "thin"
      readonly data: {
        readonly count: number
        readonly items: (components['schemas']['Launch'])[]
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    RugsAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly count: number
        readonly items: (components['schemas']['Rug'])[]
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    } | {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "thin"
      readonly data: {
        readonly count: number
        readonly items: (components['schemas']['Rug'])[]
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    GraduationsAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly count: number
        readonly items: (components['schemas']['Graduation'])[]
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    } | {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "thin"
      readonly data: {
        readonly count: number
        readonly items: (components['schemas']['Graduation'])[]
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    CreatorAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly creator: string
        readonly stats: {
          readonly n_launches: number
          readonly n_resolved: number
          readonly grad_rate: number | null
          readonly grad_rate_reason?: string
          readonly rug_rate: number | null
          readonly rug_rate_reason?: string
          readonly median_dev_sell_s: number | null
          readonly median_dev_sell_s_reason?: string
          readonly is_first_time: boolean
          readonly observed_since: number | null
          readonly observed_since_reason?: string
          readonly total_dev_buy_sol: number
        }
        readonly recent_launches: ({
          readonly mint: string
          readonly t0: number
          readonly position: string
          readonly settled_at: number | null
          readonly settled_at_reason?: string
          readonly graduated: number | null
          readonly graduated_reason?: string
          readonly rugged: number | null
          readonly rugged_reason?: string
          readonly rug_dt_s: number | null
          readonly rug_dt_s_reason?: string
          readonly peak_rs: number | null
          readonly peak_rs_reason?: string
          readonly self_graduated: boolean | null
          readonly self_graduated_reason?: string
        })[]
        readonly n_live_mints: number
        readonly live_mints: (string)[]
        readonly funded_recently_by: {
          readonly funder: string
          readonly amount_sol: number
          readonly funded_at: number
          readonly position: string
          readonly funder_prior: {
            readonly n_launches: number
            readonly rug_rate: number | null
            readonly rug_rate_reason?: string
          } | null
          readonly funder_prior_reason?: string
        } | null
        readonly funded_recently_by_reason?: string
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    } | {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "thin"
      readonly data: {
        readonly creator: string
        readonly stats: {
          readonly n_launches: number
          readonly n_resolved: number
          readonly grad_rate: number | null
          readonly grad_rate_reason?: string
          readonly rug_rate: number | null
          readonly rug_rate_reason?: string
          readonly median_dev_sell_s: number | null
          readonly median_dev_sell_s_reason?: string
          readonly is_first_time: boolean
          readonly observed_since: number | null
          readonly observed_since_reason?: string
          readonly total_dev_buy_sol: number
        }
        readonly recent_launches: ({
          readonly mint: string
          readonly t0: number
          readonly position: string
          readonly settled_at: number | null
          readonly settled_at_reason?: string
          readonly graduated: number | null
          readonly graduated_reason?: string
          readonly rugged: number | null
          readonly rugged_reason?: string
          readonly rug_dt_s: number | null
          readonly rug_dt_s_reason?: string
          readonly peak_rs: number | null
          readonly peak_rs_reason?: string
          readonly self_graduated: boolean | null
          readonly self_graduated_reason?: string
        })[]
        readonly n_live_mints: number
        readonly live_mints: (string)[]
        readonly funded_recently_by: {
          readonly funder: string
          readonly amount_sol: number
          readonly funded_at: number
          readonly position: string
          readonly funder_prior: {
            readonly n_launches: number
            readonly rug_rate: number | null
            readonly rug_rate_reason?: string
          } | null
          readonly funder_prior_reason?: string
        } | null
        readonly funded_recently_by_reason?: string
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    WalletAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly wallet: string
        readonly leaderboard: {
          readonly class: "insider" | "sniper" | "skilled" | "crowd" | null
          readonly class_reason?: string
          readonly rank: number | null
          readonly rank_reason?: string
          readonly stats: {
            readonly n_positions: number
            readonly n_closed: number
            readonly n_won: number
            readonly n_sniped: number
            readonly n_with_role: number
            readonly n_trades: number
            readonly realized_sol: number
          }
          readonly as_of: number | null
          readonly as_of_reason?: string
          readonly window_s: number
        }
        readonly as_creator: {
          readonly n_launches: number
          readonly n_resolved: number
          readonly grad_rate: number | null
          readonly grad_rate_reason?: string
          readonly rug_rate: number | null
          readonly rug_rate_reason?: string
          readonly median_dev_sell_s: number | null
          readonly median_dev_sell_s_reason?: string
          readonly is_first_time: boolean
          readonly observed_since: number | null
          readonly observed_since_reason?: string
          readonly total_dev_buy_sol: number
        } | null
        readonly as_creator_reason?: string
        readonly live_holdings_recent_mints: ({
          readonly mint: string
          readonly tokens_share: number | null
          readonly tokens_share_reason?: string
          readonly first_buy_slot: number | null
          readonly first_buy_slot_reason?: string
          readonly rs_sol: number | null
          readonly rs_sol_reason?: string
        })[]
        readonly funding_source: {
          readonly funder: string
          readonly amount_sol: number
          readonly funded_at: number
          readonly position: string
          readonly seconds_ago: number
          readonly funder_prior: {
            readonly n_launches: number
            readonly rug_rate: number | null
            readonly rug_rate_reason?: string
          } | null
          readonly funder_prior_reason?: string
        } | null
        readonly funding_source_reason?: string
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    } | {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "thin"
      readonly data: {
        readonly wallet: string
        readonly leaderboard: {
          readonly class: "insider" | "sniper" | "skilled" | "crowd" | null
          readonly class_reason?: string
          readonly rank: number | null
          readonly rank_reason?: string
          readonly stats: {
            readonly n_positions: number
            readonly n_closed: number
            readonly n_won: number
            readonly n_sniped: number
            readonly n_with_role: number
            readonly n_trades: number
            readonly realized_sol: number
          }
          readonly as_of: number | null
          readonly as_of_reason?: string
          readonly window_s: number
        }
        readonly as_creator: {
          readonly n_launches: number
          readonly n_resolved: number
          readonly grad_rate: number | null
          readonly grad_rate_reason?: string
          readonly rug_rate: number | null
          readonly rug_rate_reason?: string
          readonly median_dev_sell_s: number | null
          readonly median_dev_sell_s_reason?: string
          readonly is_first_time: boolean
          readonly observed_since: number | null
          readonly observed_since_reason?: string
          readonly total_dev_buy_sol: number
        } | null
        readonly as_creator_reason?: string
        readonly live_holdings_recent_mints: ({
          readonly mint: string
          readonly tokens_share: number | null
          readonly tokens_share_reason?: string
          readonly first_buy_slot: number | null
          readonly first_buy_slot_reason?: string
          readonly rs_sol: number | null
          readonly rs_sol_reason?: string
        })[]
        readonly funding_source: {
          readonly funder: string
          readonly amount_sol: number
          readonly funded_at: number
          readonly position: string
          readonly seconds_ago: number
          readonly funder_prior: {
            readonly n_launches: number
            readonly rug_rate: number | null
            readonly rug_rate_reason?: string
          } | null
          readonly funder_prior_reason?: string
        } | null
        readonly funding_source_reason?: string
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    RegimeAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly as_of: number | null
        readonly as_of_reason?: string
        readonly minute: {
          readonly window_s: number
          readonly launches: number
          readonly observed_s: number
          readonly launches_per_hour: number | null
          readonly launches_per_hour_reason?: string
          readonly mayhem_share: number | null
          readonly mayhem_share_reason?: string
          readonly buys: number
          readonly sells: number
          readonly buy_sol: number
          readonly sell_sol: number
          readonly failed_share: number | null
          readonly failed_share_reason?: string
          readonly migrations: number
          readonly true_graduations: number
          readonly rug_flags: components['schemas']['FlagCounts']
          readonly coverage: "full" | "thin"
          readonly coverage_reason?: string
          readonly coverage_range?: {
            readonly from_slot: number
            readonly to_slot: number
          }
          readonly observed_since?: number
        } | null
        readonly minute_reason?: string
        readonly hour: {
          readonly window_s: number
          readonly launches: number
          readonly observed_s: number
          readonly launches_per_hour: number | null
          readonly launches_per_hour_reason?: string
          readonly mayhem_share: number | null
          readonly mayhem_share_reason?: string
          readonly buys: number
          readonly sells: number
          readonly buy_sol: number
          readonly sell_sol: number
          readonly failed_share: number | null
          readonly failed_share_reason?: string
          readonly migrations: number
          readonly true_graduations: number
          readonly rug_flags: components['schemas']['FlagCounts']
          readonly coverage: "full" | "thin"
          readonly coverage_reason?: string
          readonly coverage_range?: {
            readonly from_slot: number
            readonly to_slot: number
          }
          readonly observed_since?: number
        } | null
        readonly hour_reason?: string
        readonly day: {
          readonly window_s: number
          readonly launches: number
          readonly observed_s: number
          readonly launches_per_hour: number | null
          readonly launches_per_hour_reason?: string
          readonly mayhem_share: number | null
          readonly mayhem_share_reason?: string
          readonly buys: number
          readonly sells: number
          readonly buy_sol: number
          readonly sell_sol: number
          readonly failed_share: number | null
          readonly failed_share_reason?: string
          readonly migrations: number
          readonly true_graduations: number
          readonly rug_flags: components['schemas']['FlagCounts']
          readonly coverage: "full" | "thin"
          readonly coverage_reason?: string
          readonly coverage_range?: {
            readonly from_slot: number
            readonly to_slot: number
          }
          readonly observed_since?: number
        } | null
        readonly day_reason?: string
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    } | {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "thin"
      readonly data: {
        readonly as_of: number | null
        readonly as_of_reason?: string
        readonly minute: {
          readonly window_s: number
          readonly launches: number
          readonly observed_s: number
          readonly launches_per_hour: number | null
          readonly launches_per_hour_reason?: string
          readonly mayhem_share: number | null
          readonly mayhem_share_reason?: string
          readonly buys: number
          readonly sells: number
          readonly buy_sol: number
          readonly sell_sol: number
          readonly failed_share: number | null
          readonly failed_share_reason?: string
          readonly migrations: number
          readonly true_graduations: number
          readonly rug_flags: components['schemas']['FlagCounts']
          readonly coverage: "full" | "thin"
          readonly coverage_reason?: string
          readonly coverage_range?: {
            readonly from_slot: number
            readonly to_slot: number
          }
          readonly observed_since?: number
        } | null
        readonly minute_reason?: string
        readonly hour: {
          readonly window_s: number
          readonly launches: number
          readonly observed_s: number
          readonly launches_per_hour: number | null
          readonly launches_per_hour_reason?: string
          readonly mayhem_share: number | null
          readonly mayhem_share_reason?: string
          readonly buys: number
          readonly sells: number
          readonly buy_sol: number
          readonly sell_sol: number
          readonly failed_share: number | null
          readonly failed_share_reason?: string
          readonly migrations: number
          readonly true_graduations: number
          readonly rug_flags: components['schemas']['FlagCounts']
          readonly coverage: "full" | "thin"
          readonly coverage_reason?: string
          readonly coverage_range?: {
            readonly from_slot: number
            readonly to_slot: number
          }
          readonly observed_since?: number
        } | null
        readonly hour_reason?: string
        readonly day: {
          readonly window_s: number
          readonly launches: number
          readonly observed_s: number
          readonly launches_per_hour: number | null
          readonly launches_per_hour_reason?: string
          readonly mayhem_share: number | null
          readonly mayhem_share_reason?: string
          readonly buys: number
          readonly sells: number
          readonly buy_sol: number
          readonly sell_sol: number
          readonly failed_share: number | null
          readonly failed_share_reason?: string
          readonly migrations: number
          readonly true_graduations: number
          readonly rug_flags: components['schemas']['FlagCounts']
          readonly coverage: "full" | "thin"
          readonly coverage_reason?: string
          readonly coverage_range?: {
            readonly from_slot: number
            readonly to_slot: number
          }
          readonly observed_since?: number
        } | null
        readonly day_reason?: string
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    SampleLaunchesAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly count: number
        readonly items: (components['schemas']['Launch'])[]
        readonly delayed_s: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    } | {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "thin"
      readonly data: {
        readonly count: number
        readonly items: (components['schemas']['Launch'])[]
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
        readonly delayed_s: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    SampleRugsAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly count: number
        readonly items: (components['schemas']['Rug'])[]
        readonly delayed_s: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    } | {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "thin"
      readonly data: {
        readonly count: number
        readonly items: (components['schemas']['Rug'])[]
        readonly coverage_reason: string
        readonly coverage_range?: {
          readonly from_slot: number
          readonly to_slot: number
        }
        readonly observed_since?: number
        readonly delayed_s: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    CheckAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly status: "flags_observed" | "no_flags_observed"
        readonly result_id: string
        readonly count: number
        readonly items: (components['schemas']['CheckItem'])[]
        readonly cursor: string
        readonly watch_events: (components['schemas']['WatchEvent'])[]
      } | {
        readonly status: "no_new_events"
        readonly changed: false
        readonly count: 0
        readonly items: (components['schemas']['CheckItem'])[]
        readonly cursor: string
        readonly charged: false
        readonly next_check_after_s: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    CheckCoverageAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly items: ({
          readonly mint: string
          readonly coverage: "full" | "thin"
          readonly reason: string
        })[]
        readonly all_full: boolean
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly prices: {
          readonly single_usd: number
          readonly watchlist_usd: number
        }
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    } | {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "thin"
      readonly data: {
        readonly items: ({
          readonly mint: string
          readonly coverage: "full" | "thin"
          readonly reason: string
        })[]
        readonly all_full: boolean
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly prices: {
          readonly single_usd: number
          readonly watchlist_usd: number
        }
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    WatchAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly has_new_events: boolean
        readonly cursor: string
        readonly mints: (string)[]
        readonly next_check_after_s: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    EvidenceAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly finding_id: string
        readonly status: "stands" | "retracted"
        readonly mint: string
        readonly flag: components['schemas']['Flag']
        readonly detector_id: string
        readonly detector_version: number | null
        readonly detector_version_reason?: string
        readonly first_seen_at: number
        readonly mint_age_at_flag_s: number | null
        readonly mint_age_at_flag_s_reason?: string
        readonly position: string
        readonly finality: string | null
        readonly finality_reason?: string
        readonly evidence: components['schemas']['FlagEvidence']
        readonly events: (string)[] | null
        readonly events_reason?: string
        readonly delayed_s: number
      } | {
        readonly finding_id: string
        readonly status: "withheld"
        readonly mint: string
        readonly detector_id: string
        readonly position: string
        readonly free_at: number
        readonly delayed_s: number
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    IndexAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly name: "mintfold"
        readonly what: string
        readonly version: string
        readonly base_url: string
        readonly how_to_start: (string)[]
        readonly questions: ({
          readonly method: "GET"
          readonly path: string
          readonly price_usd: number
          readonly mcp_tool: string | null
          readonly description: string
          readonly coverage: string
          readonly max_feed_lag_s: number
          readonly params: Readonly<Record<string, Readonly<Record<string, unknown>>>>
          readonly example: string
        })[]
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    LabelsAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly generated_at: string
      readonly t: number
      readonly coverage: "full"
      readonly data: {
        readonly coverage: Readonly<Record<string, unknown>>
        readonly status: Readonly<Record<string, unknown>>
        readonly risk_label: Readonly<Record<string, unknown>>
        readonly confidence: Readonly<Record<string, unknown>>
        readonly rug_flags: Readonly<Record<string, unknown>>
        readonly finality: Readonly<Record<string, unknown>>
        readonly lifecycle: string
        readonly nulls: string
        readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>
        readonly errors: Readonly<Record<string, string>>
      }
      readonly meta: {
        readonly source: string
        readonly version: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly is_stale: boolean
        readonly last_slot: number | null
        readonly last_slot_reason?: string
        readonly price_usd: number
        readonly unpaid_reason?: string
        readonly next?: Readonly<Record<string, string>>
        readonly labels: "/v1/labels"
        readonly disclaimer: string
        readonly max_feed_lag_s: number
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly tape_behind: boolean
        readonly delayed_s?: number
        readonly freshness_checked_at: number
        readonly feed_lag_at_generation_s: number | null
        readonly feed_lag_at_generation_s_reason?: string
        readonly result_age_s: number
        readonly replayed: boolean
        readonly untrusted_text_note: string
        readonly sandbox?: true
      }
    }
    HealthAnswer: {
      readonly ok: boolean
      readonly t: number
      readonly uptime_s: number
      readonly sources: ({
        readonly chain: "solana"
        readonly tip: number | null
        readonly tip_reason?: string
        readonly folded: number | null
        readonly folded_reason?: string
        readonly feed_lag_s: number | null
        readonly feed_lag_s_reason?: string
        readonly chain_lag_s: number | null
        readonly chain_lag_s_reason?: string
        readonly slots_behind: number | null
        readonly slots_behind_reason?: string
        readonly finality: string | null
        readonly finality_reason?: string
        readonly confirmed: number | null
        readonly confirmed_reason?: string
        readonly finalized: number | null
        readonly finalized_reason?: string
      })[]
      readonly mints_tracked: number
      readonly curves_tracked: number
      readonly counters: {
        readonly frames: number
        readonly events: number
        readonly flags: number
        readonly dead_letters: number
        readonly gaps: number
        readonly forks: number
      }
      readonly detection_ms: {
        readonly p50: number | null
        readonly p50_reason?: string
        readonly p99: number | null
        readonly p99_reason?: string
        readonly n_frames: number
        readonly from_block_time: {
          readonly p50: number | null
          readonly p50_reason?: string
          readonly p99: number | null
          readonly p99_reason?: string
          readonly n_frames: number
        }
      }
      readonly views: ({
        readonly view: string
        readonly records_behind: number
      })[]
      readonly views_behind_ms: number | null
      readonly views_behind_ms_reason?: string
      readonly history: {
        readonly ok: boolean
        readonly rows_written: number
        readonly up_to: number | null
        readonly up_to_reason?: string
        readonly behind_ms: number | null
        readonly behind_ms_reason?: string
      } | null
      readonly history_reason?: string
      readonly version: string
      readonly degraded: (string)[]
    }
    CatalogAnswer: {
      readonly ok: true
      readonly schema_version: "2.0"
      readonly version: string
      readonly base_url: string
      readonly payment: {
        readonly protocol: "x402"
        readonly x402_version: 2
        readonly scheme: "exact"
        readonly how: string
        readonly mcp: string
        readonly sandbox: boolean
      }
      readonly resources: ({
        readonly resource: string
        readonly method: "GET"
        readonly path: string
        readonly title: string
        readonly description: string
        readonly mcp_tool: string | null
        readonly mcp_tool_reason?: string
        readonly price_usd: number
        readonly accepts: ({
          readonly scheme: "exact"
          readonly network: string
          readonly asset: string
          readonly amount: string
          readonly payTo: string
          readonly maxTimeoutSeconds: 60
          readonly extra: Readonly<Record<string, unknown>>
        })[]
        readonly input_schema: Readonly<Record<string, unknown>>
        readonly example: string
        readonly output_example: Readonly<Record<string, unknown>>
        readonly mcp_resource: string | null
        readonly mcp_resource_reason?: string
        readonly coverage: string
        readonly max_feed_lag_s: number
        readonly typical_latency_ms: number | null
        readonly typical_latency_ms_reason?: string
        readonly typical_freshness_s: number | null
        readonly typical_freshness_s_reason?: string
        readonly typical_thin?: {
          readonly latency_ms: number | null
          readonly latency_ms_reason?: string
          readonly freshness_s: number | null
          readonly freshness_s_reason?: string
        }
      })[]
      readonly free: ({
        readonly resource: string
        readonly method: "GET"
        readonly path: string
        readonly title: string
        readonly description: string
        readonly mcp_tool: string | null
        readonly mcp_tool_reason?: string
      })[]
      readonly mcp: {
        readonly url: string
        readonly transport: "streamable-http"
      }
    }
    ManifestAnswer: {
      readonly x402Version: 2
      readonly kind: "resource-server"
      readonly version: "2.0"
      readonly service_version: string
      readonly updated: string
      readonly name: string
      readonly description: string
      readonly url: string
      readonly openapi: string
      readonly llms: string
      readonly terms: string
      readonly catalog: string
      readonly contact?: string
      readonly mcp: {
        readonly url: string
        readonly transport: "streamable-http"
      }
      readonly receipt_keys?: Readonly<Record<string, unknown>>
      readonly resources: ({
        readonly url: string
        readonly method: "GET"
        readonly description: string
        readonly price_usd: number
        readonly mcp_tool: string | null
        readonly mcp_tool_reason?: string
        readonly accepts: ({
          readonly scheme: "exact"
          readonly network: string
          readonly asset: string
          readonly amount: string
          readonly payTo: string
          readonly maxTimeoutSeconds: 60
          readonly extra: Readonly<Record<string, unknown>>
        })[]
      })[]
    }
    StreamEvent: {
      readonly id?: string
      readonly event: "flag"
      readonly data: string
    } | {
      readonly id?: string
      readonly event: "retracted"
      readonly data: string
    } | {
      readonly id?: string
      readonly event: "skipped"
      readonly data: string
    }
    StreamedFlag: {
      readonly t: number
      readonly mint: string
      readonly name: string | null
      readonly name_reason?: string
      readonly symbol: string | null
      readonly symbol_reason?: string
      readonly creator: string | null
      readonly creator_reason?: string
      readonly creator_is_wallet: boolean | null
      readonly creator_is_wallet_reason?: string
      readonly flag: components['schemas']['Flag']
      readonly detail: components['schemas']['FlagEvidence']
      readonly mint_age_at_flag_s: number | null
      readonly mint_age_at_flag_s_reason?: string
      readonly position: string
      readonly finding_id: string
      readonly finality: "processed" | "confirmed" | "finalized"
      readonly creator_prior: {
        readonly n_launches: number
        readonly grad_rate: number | null
        readonly grad_rate_reason?: string
        readonly rug_rate: number | null
        readonly rug_rate_reason?: string
      } | null
      readonly creator_prior_reason?: string
      readonly creator_prior_of: string | null
      readonly creator_prior_of_reason?: string
      readonly delayed_s: number
    }
    StreamedRetraction: {
      readonly finding_id: string
      readonly position: string
      readonly flag: components['schemas']['Flag']
      readonly mint: string
      readonly creator: string | null
      readonly creator_reason?: string
      readonly t: number
      readonly delayed_s: number
    }
    StreamedGap: {
      readonly from: string | string
      readonly to: string | null
      readonly to_reason?: string
      readonly reason: string
    }
    Refusal: {
      readonly ok: false
      readonly error: string
      readonly hint: string
      readonly charged?: false | null
      readonly request_id?: string
    }
    ValidationError: {
      readonly detail: ({
        readonly type: string
        readonly loc: (string | number)[]
        readonly msg: string
        readonly input?: unknown
        readonly ctx?: Readonly<Record<string, unknown>>
      })[]
      readonly charged?: false
    }
    PaymentRequired: {
      readonly x402Version: 2
      readonly error: string
      readonly resource: {
        readonly url: string
        readonly description: string
        readonly mimeType?: string
        readonly serviceName?: string
        readonly tags?: (string)[]
      }
      readonly accepts: ({
        readonly scheme: "exact"
        readonly network: string
        readonly asset: string
        readonly amount: string
        readonly payTo: string
        readonly maxTimeoutSeconds: 60
        readonly extra: Readonly<Record<string, unknown>>
      })[]
      readonly extensions: Readonly<Record<string, unknown>>
    }
    Flag: "creator_sold" | "bundle_dumped" | "curve_drained" | "pool_drained" | "curve_closed_low" | "migrate_below_grad"
    WatchEvent: "creator_sold" | "bundle_dumped" | "curve_drained" | "pool_drained" | "curve_closed_low" | "migrate_below_grad" | "lifecycle_transition"
    FlagEvidence: {
      readonly tokens_share: number
      readonly sol: number | null
      readonly sol_reason?: string
    } | {
      readonly n_wallets: number
      readonly bought_share: number
      readonly sold_share: number
    } | {
      readonly peak_rs: number
      readonly rs: number
    } | {
      readonly opening_quote: number | null
      readonly opening_quote_reason?: string
      readonly quote: number | null
      readonly quote_reason?: string
      readonly quote_mint?: string
    } | {
      readonly peak_rs: number
    } | {
      readonly peak_rs: number
      readonly pool: string
    }
    CardFlags: {
      readonly creator_sold: boolean | null
      readonly creator_sold_reason?: string
      readonly bundle_dumped: boolean | null
      readonly bundle_dumped_reason?: string
      readonly curve_drained: boolean | null
      readonly curve_drained_reason?: string
      readonly pool_drained: boolean | null
      readonly pool_drained_reason?: string
      readonly curve_closed_low: boolean | null
      readonly curve_closed_low_reason?: string
      readonly migrate_below_grad: boolean | null
      readonly migrate_below_grad_reason?: string
    }
    FlagCounts: {
      readonly creator_sold: number
      readonly bundle_dumped: number
      readonly curve_drained: number
      readonly pool_drained: number
      readonly curve_closed_low: number
      readonly migrate_below_grad: number
    }
  }
}
