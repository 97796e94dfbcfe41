/** Calls of UPS behind one login. Source: UPS's OpenAPI document of OAuth client credentials. */
import { createHash, randomUUID } from 'node:crypto'
import { CourierRefused } from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, readReply, wordsIn } from '../courier-http.ts'
import { ErrorReply, TokenReply } from './ups.schemas.ts'

export const name = 'UPS'
export type Settings = Record<string, string>

type UpsQuestion = Pick<CourierQuestion, 'purpose' | 'method' | 'headers' | 'signal'> & { path: string; settings: Settings; body?: object }

export interface UpsAccess {
  ask(question: UpsQuestion): Promise<CourierAnswer>
  /** Logs in anew, whatever token is kept. */
  login(settings: Settings, signal: AbortSignal): Promise<void>
}

interface Token {
  value: string
  /** Milliseconds. */
  ends: number
}

/** Milliseconds: a booking that waits longer for its login could not be waited for itself. */
const loginPatience = 8_000
const mostTokens = 1_000

/** Tokens last about four hours and are kept until a minute before their end. */
export function upsAccess(hosts: { live: CourierHost; test: CourierHost }): UpsAccess {
  const tokens = new Map<string, Token>()
  const hostOf = ({ mode }: Settings): CourierHost => (mode === 'test' ? hosts.test : hosts.live)

  const keyOf = (settings: Settings): string =>
    createHash('sha256')
      .update(JSON.stringify([hostOf(settings).url, settings.client_id, settings.client_secret]))
      .digest('base64')

  async function newToken(settings: Settings, signal: AbortSignal): Promise<string> {
    const host = hostOf(settings)
    const { client_id = '', client_secret = '' } = settings
    const question = { courier: name, purpose: 'read' } as const
    const answer = await askCourier({
      ...question,
      url: `${host.url}/security/v1/oauth/token`,
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
      signal: AbortSignal.any([signal, AbortSignal.timeout(loginPatience)]),
      fetch: host.fetch,
    })
    if (!answer.ok) throw new CourierRefused(saidIn(answer))
    const { access_token, expires_in } = readReply(TokenReply, answer, question)
    if (tokens.size >= mostTokens) tokens.clear()
    tokens.set(keyOf(settings), { value: access_token, ends: Date.now() + (expires_in - 60) * 1_000 })
    return access_token
  }

  async function ask({ path, settings, body, headers, ...question }: UpsQuestion): Promise<CourierAnswer> {
    const host = hostOf(settings)
    const key = keyOf(settings)
    const send = (token: string, reads: CourierQuestion['reads']) =>
      askCourier({
        courier: name,
        ...question,
        url: host.url + path,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
          transid: randomUUID().replaceAll('-', ''),
          transactionsrc: 'Pakhus',
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        fetch: host.fetch,
        reads: answer => {
          if (answer.status === 401) tokens.delete(key)
          return reads?.(answer) ?? false
        },
      })
    const kept = tokens.get(key)
    if (kept && kept.ends > Date.now()) {
      const answer = await send(kept.value, isTurnedAway)
      if (!isTurnedAway(answer)) return answer
    }
    return send(await newToken(settings, question.signal), undefined)
  }

  return {
    ask,
    login: async (settings, signal) => void (await newToken(settings, signal)),
  }
}

/** UPS itself did not take the token, and did nothing with the call. */
const isTurnedAway = ({ status, body }: CourierAnswer): boolean => status === 401 && ErrorReply.safeParse(body).success

/** UPS's own words, with its codes. */
export function saidIn(answer: CourierAnswer): string {
  const errors = ErrorReply.safeParse(answer.body).data?.response.errors ?? []
  const said = errors.map(({ code, message }) => [message.trim(), code && `(${code})`].filter(Boolean).join(' ')).filter(Boolean)
  return [...new Set(said)].slice(0, 3).join('; ').slice(0, 400) || wordsIn(answer)
}
