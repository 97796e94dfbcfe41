/** The part of oidc-provider that its fake company uses; the package brings no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  interface OidcContext {
    oidc: { provider: Provider; client: { clientId: string }; session: { accountId: string } }
  }
  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }
  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): RequestListener
    Grant: new (about: {
      clientId: string
      accountId: string
    }) => Grant
  }
  export type { OidcContext }
}
