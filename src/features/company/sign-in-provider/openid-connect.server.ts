/** Speaks with the OpenID Connect provider of a company: authorization code with PKCE, state and nonce. */
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { externalFailed, forbidden } from '#contract/errors.ts'
import { siteOf } from '#features/company/users/second-factors.queries.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import { fetchOutside } from '#platform/http/outside-request.ts'
import { publicUrl } from '#platform/http/public-url.ts'

/** The page to which the provider sends people back. */
const providerReturnPath = '/login/company'

/** Seconds that the provider may take for one answer. */
const patience = 10

export interface ProviderClient {
  name: string
  issuer: string
  client_id: string
  secret: string
}

/** As an administrator registers it at the provider. */
export const registeredRedirect = ({ services, principal }: Pick<Context, 'services' | 'principal'>): string =>
  `${publicUrl(services, principal.company.code)}${providerReturnPath}`

/** All three follow from the token of the challenge, which only the browser that began has. */
const secretsOf = (vault: Vault, token: string) => ({
  state: vault.sign('provider state', token),
  nonce: vault.sign('provider nonce', token),
  verifier: vault.sign('provider verifier', token) + vault.sign('provider verifier, second half', token),
})

/** What the provider says of itself, with the client of this company. Names are resolved to public addresses only. */
export async function discoverProvider({ issuer, client_id, secret }: Omit<ProviderClient, 'name'>, allowedNetworks: readonly string[]) {
  const fetch: CustomFetch = (url, { method, headers, body, signal }) =>
    fetchOutside(url, {
      method,
      headers,
      body: body === undefined || body === null ? undefined : String(body),
      signal: signal ?? AbortSignal.timeout(patience * 1_000),
      allowedNetworks,
    })
  // `fetchOutside` lets plain HTTP reach the networks only that the deployment permits.
  const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  // Without it the library trusts the connection and does not look at the signature of the ID token.
  const execute = [...insecure, enableNonRepudiationChecks]
  const found = await discovery(new URL(issuer), client_id, secret, undefined, { [customFetch]: fetch, execute, timeout: patience })
  const server = found.serverMetadata()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const basic = methods.includes('client_secret_basic')
  const client = new Configuration(server, client_id, secret, basic ? ClientSecretBasic(secret) : ClientSecretPost(secret))
  client[customFetch] = fetch
  client.timeout = patience
  for (const step of execute) step(client)
  return client
}

/** Seconds for which a sign-in at the provider is new. */
const newFor = 300

/** The address of the provider at which the user of this browser signs in; `anew`: although they are signed in there. */
export async function authorizationUrl(
  outside: ExternalContext,
  provider: ProviderClient,
  token: string,
  { anew = false } = {},
): Promise<string> {
  const { services } = outside
  const { origin } = siteOf(outside)
  const { state, nonce, verifier } = secretsOf(services.vault, token)
  const client = await discoverProvider(provider, services.config.allowed_networks).catch(error => failed(outside, provider, error))
  const url = buildAuthorizationUrl(client, {
    redirect_uri: `${origin}${providerReturnPath}`,
    scope: 'openid',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(anew && { prompt: 'login', max_age: String(newFor) }),
  })
  return url.href
}

/**
 * Who the provider says has signed in: checked are state, nonce, PKCE, issuer, audience and signature. `anew`: also when they have; a provider that
 * does not say so (`auth_time`) is refused.
 */
export async function identityOf(
  outside: ExternalContext,
  provider: ProviderClient,
  { token, query, anew = false }: { token: string; query: string; anew?: boolean },
): Promise<{ issuer: string; subject: string }> {
  const { services } = outside
  const { origin } = siteOf(outside)
  const { state, nonce, verifier } = secretsOf(services.vault, token)
  const page = new URL(`${origin}${providerReturnPath}`)
  page.search = query
  const client = await discoverProvider(provider, services.config.allowed_networks).catch(error => failed(outside, provider, error))
  const tokens = await authorizationCodeGrant(client, page, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    ...(anew && { maxAge: newFor }),
  }).catch(error => failed(outside, provider, error))
  const claims = tokens.claims()
  if (!claims || claims.sub.length > 255) return failed(outside, provider, new Error('The answer names no account'))
  return { issuer: claims.iss, subject: claims.sub }
}

/** What went wrong stands in the log, without what was sent; the user reads one sentence. */
function failed({ services }: ExternalContext, { name, issuer }: ProviderClient, error: unknown): never {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  services.log.warn({ issuer, reason }, 'A sign-in by the provider failed')
  if (error instanceof AuthorizationResponseError && error.error === 'access_denied')
    throw forbidden('provider_refused', '{{provider}} has not let you sign in.', { provider: name })
  throw externalFailed('provider_failed', '{{provider}} did not answer as expected. Try again.', { provider: name })
}
