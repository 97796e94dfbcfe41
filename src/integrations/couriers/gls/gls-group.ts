/** The interfaces of GLS Group behind one login: ShipIT, and Track and Trace. Source: GLS Authentication API v2. */
import { createHash } from 'node:crypto'
import { CourierRefused } from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, readReply, wordsIn } from '../courier-http.ts'
import { GatewayFault, TokenReply } from './gls.schemas.ts'

export const name = 'GLS'
export type Settings = Record<string, string>

type GroupQuestion = Pick<CourierQuestion, 'purpose' | 'method' | 'body' | 'headers' | 'signal' | 'patience' | 'largest'> & {
  path: string
  settings: Settings
}
export type AskGroup = (question: GroupQuestion) => Promise<CourierAnswer>

interface Token {
  value: string
  /** Milliseconds. */
  ends: number
}

/** Milliseconds: a booking that waits longer for its login could not be waited for itself. */
const loginPatience = 8_000
const mostTokens = 1_000

export const hasGroupLogin = ({ client_id, client_secret }: Settings): boolean => Boolean(client_id && client_secret)

/** Asks with a token, which is kept until a minute before its end: GLS counts logins. */
export function askGroupAt(live: CourierHost, sandbox: CourierHost): AskGroup {
  const tokens = new Map<string, Token>()
  const hostOf = ({ mode }: Settings): CourierHost => (mode === 'sandbox' ? sandbox : live)

  async function tokenOf(settings: Settings, signal: AbortSignal): Promise<{ value: string; forget: () => void }> {
    const host = hostOf(settings)
    const { client_id = '', client_secret = '' } = settings
    const key = createHash('sha256')
      .update(JSON.stringify([host.url, client_id, client_secret]))
      .digest('base64')
    const forget = () => void tokens.delete(key)
    const kept = tokens.get(key)
    if (kept && kept.ends > Date.now()) return { value: kept.value, forget }
    const question = { courier: name, purpose: 'read' } as const
    const answer = await askCourier({
      ...question,
      url: `${host.url}/oauth2/v2/token`,
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
    if (!answer.ok) throw new CourierRefused(wordsIn(answer))
    const { access_token, expires_in } = readReply(TokenReply, answer, question)
    if (tokens.size >= mostTokens) tokens.clear()
    tokens.set(key, { value: access_token, ends: Date.now() + (expires_in - 60) * 1_000 })
    return { value: access_token, forget }
  }

  return async ({ path, settings, headers, ...question }) => {
    const host = hostOf(settings)
    const ask = async (again: boolean) => {
      const token = await tokenOf(settings, question.signal)
      return askCourier({
        courier: name,
        ...question,
        url: host.url + path,
        headers: { ...headers, authorization: `Bearer ${token.value}` },
        fetch: host.fetch,
        reads: answer => {
          if (answer.status === 401) token.forget()
          return !again && hasExpired(answer)
        },
      })
    }
    const answer = await ask(false)
    // Nothing was done with what the gateway turned away.
    return hasExpired(answer) ? ask(true) : answer
  }
}

const hasExpired = ({ status, body }: CourierAnswer): boolean =>
  status === 401 && GatewayFault.safeParse(body).data?.fault.detail.errorcode === 'steps.jwt.TokenExpired'
