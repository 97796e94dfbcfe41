/** Requests to Helthjem with the token of an account, which is kept while it is valid. */
import { createHash } from 'node:crypto'
import { CourierRefused } from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, readReply } from '../courier-http.ts'
import { Problem, TokenReply } from './helthjem.schemas.ts'

export const name = 'Helthjem'
export type Settings = Record<string, string>

export interface HelthjemHosts {
  live: CourierHost
  test: CourierHost
}

type Question = Pick<CourierQuestion, 'purpose' | 'signal'> & { path: string; settings: Settings; body?: object; accept?: string }
export type AskHelthjem = (question: Question) => Promise<CourierAnswer>

interface Token {
  value: string
  /** Milliseconds. */
  ends: number
}

/** Milliseconds for what comes before a booking: one that waits longer could not be waited for itself. */
export const preparation = 5_000
/** Helthjem asks for a new token every twelve hours, though one is valid for a day. */
const longestLife = 12 * 3_600_000
const mostTokens = 1_000

/** Helthjem's own words and the key of the error, on one line. */
export function wordsOf({ status, text, body }: CourierAnswer): { words: string; key: string | null } {
  const { errorKey, message } = Problem.safeParse(body).data ?? {}
  const key = errorKey?.trim() || null
  const said = message?.trim() || (key === null ? `${status} ${text.replace(/<[^>]{0,500}>/g, ' ')}` : '')
  return { words: said.replace(/\s+/g, ' ').trim().slice(0, 300), key }
}

/** A no that says what may not be done, such as of a shop that is not the account's. */
const saysWhy = (answer: CourierAnswer): boolean => answer.status === 403 && wordsOf(answer).key !== null

export function askHelthjemAt({ live, test }: HelthjemHosts): AskHelthjem {
  const tokens = new Map<string, Token>()
  const hostOf = ({ mode }: Settings): CourierHost => (mode === 'test' ? test : live)

  async function tokenOf(settings: Settings, signal: AbortSignal): Promise<{ value: string; forget: () => void }> {
    const host = hostOf(settings)
    const { client_id = '', client_secret = '' } = settings
    const id = createHash('sha256')
      .update(JSON.stringify([host.url, client_id, client_secret]))
      .digest('base64')
    const forget = () => void tokens.delete(id)
    const kept = tokens.get(id)
    if (kept && kept.ends > Date.now()) return { value: kept.value, forget }
    const question = { courier: name, purpose: 'read' } as const
    const answer = await askCourier({
      ...question,
      url: `${host.url}/auth/oauth2/v1/token`,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ client_id, client_secret, grant_type: 'client_credentials' }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(preparation)]),
      fetch: host.fetch,
    })
    if (!answer.ok) throw new CourierRefused(wordsOf(answer).words || 'Helthjem refuses the login')
    const { token, expires_in } = readReply(TokenReply, answer, question)
    if (tokens.size >= mostTokens) tokens.clear()
    tokens.set(id, { value: token, ends: Date.now() + Math.min(longestLife, (expires_in - 60) * 1_000) })
    return { value: token, forget }
  }

  return async ({ path, settings, body, accept = 'application/json', ...question }) => {
    const host = hostOf(settings)
    const ask = async (again: boolean) => {
      const token = await tokenOf(settings, question.signal)
      return askCourier({
        courier: name,
        ...question,
        url: host.url + path,
        method: body ? 'POST' : 'GET',
        headers: { accept, authorization: `Bearer ${token.value}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        fetch: host.fetch,
        reads: answer => {
          if (answer.status === 401) token.forget()
          return saysWhy(answer) || (answer.status === 401 && !again && question.purpose === 'read')
        },
      })
    }
    const answer = await ask(false)
    return answer.status === 401 ? ask(true) : answer
  }
}
