/** What a connector asks a shop over HTTP, and what comes back. */

export interface ShopQuestion {
  /** Added to the base address; begins with a slash. */
  path: string
  query?: Readonly<Record<string, string>>
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Readonly<Record<string, string>>
  /** Sent as JSON; a text as it is, with the content type of `headers`. */
  body?: object | string
  /** A write may have happened when no answer comes; a question (the default of GET) may be asked again. GraphQL asks by POST. */
  purpose?: 'read' | 'write'
  /** Statuses that the adapter reads itself, where they would throw: 404 as "no such thing", 401 to fetch a new token. */
  accepts?: readonly number[]
}

export interface ShopAnswer {
  status: number
  headers: Headers
  text: string
  /** Undefined where the text is no JSON. */
  body: unknown
}

export interface ShopHttp {
  /** Answers a status below 400, or one of `accepts`. Throws `ShopError`. */
  ask(question: ShopQuestion): Promise<ShopAnswer>
}
