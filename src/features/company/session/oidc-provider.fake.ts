/** An OpenID Connect provider on this machine: the real oidc-provider, at which a test signs in under any name. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type OidcContext } from 'oidc-provider'

export interface FakeProvider {
  issuer: string
  client_id: string
  client_secret: string
  /** Signs in as `subject` at the address, as a browser does, and answers what the provider adds to the page that it sends back to. */
  visit(url: string, subject: string): Promise<string>
  /** Signs with a new key from now on. */
  rotateKeys(): void
  /** Answers with ID tokens whose signature is not that of the provider. */
  forgeSignatures(): void
  close(): Promise<void>
}

const newKeys = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' }] }
}

/** `redirects` are the pages that a client may name. All people have the same e-mail address. */
export async function startProvider(redirects: readonly string[], email: string): Promise<FakeProvider> {
  let answer: RequestListener = (_, response) => response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { client_id: 'pakhus', client_secret: 'a client secret that is long enough' }
  const open = () => {
    answer = new Provider(issuer, {
      clients: [{ ...client, redirect_uris: redirects, grant_types: ['authorization_code'], response_types: ['code'] }],
      pkce: { required: () => true },
      cookies: { keys: ['a key for cookies'] },
      jwks: newKeys(),
      findAccount: async (_: unknown, id: string) => ({
        accountId: id,
        claims: async () => ({ sub: id, email, email_verified: true }),
      }),
      async loadExistingGrant({ oidc }: OidcContext) {
        const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
        grant.addOIDCScope('openid')
        await grant.save()
        return grant
      },
    }).callback()
  }
  open()
  return {
    issuer,
    ...client,
    visit: (url, subject) => visit(url, subject, redirects),
    rotateKeys: open,
    forgeSignatures() {
      const honest = answer
      answer = (request, response) => {
        const end = response.end.bind(response)
        const forge = (body: string) =>
          end(body.replace(/("id_token":"[\w-]+\.[\w-]+\.)(\w)/, (_, head, sign) => head + (sign === 'A' ? 'B' : 'A')))
        if (request.url === '/token') Object.assign(response, { end: forge })
        honest(request, response)
      }
    },
    async close() {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Follows redirects with cookies, and fills the form of the provider. */
async function visit(url: string, subject: string, redirects: readonly string[]): Promise<string> {
  const cookies = new Map<string, string>()
  let next = url
  let form: URLSearchParams | undefined
  for (let steps = 0; steps < 12; steps++) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), connection: 'close' },
      ...(form ? { method: 'POST', body: form } : {}),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    form = undefined
    const location = response.headers.get('location')
    if (location !== null) {
      next = new URL(location, next).href
      if (redirects.some(page => next.startsWith(`${page}?`))) return new URL(next).search
      continue
    }
    const text = await response.text()
    const action = /action="([^"]+)"/.exec(text)?.[1]
    if (response.status !== 200 || action === undefined) throw new Error(`The provider answers ${response.status}: ${text.slice(0, 300)}`)
    next = new URL(action, next).href
    form = new URLSearchParams({ prompt: 'login', login: subject, password: 'any' })
  }
  throw new Error('The provider does not come to an end')
}
