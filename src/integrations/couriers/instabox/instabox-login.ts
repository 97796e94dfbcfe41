/** Requests to Instabox with the token of an account, which is kept while it is valid. */
import { CourierRefused } from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, readReply, wordsIn } from '../courier-http.ts'
import { keptTokens } from '../kept-tokens.ts'
import { TokenReply } from './instabox.schemas.ts'

export const name = 'Instabox'
export type Settings = Record<string, string>

export interface InstaboxHosts {
  login: CourierHost
  availability: CourierHost
  orders: CourierHost
  labels: CourierHost
}

type Question = Pick<CourierQuestion, 'purpose' | 'signal'> & { host: CourierHost; path: string; settings: Settings; body?: object }

export interface InstaboxAccess {
  ask(question: Question): Promise<CourierAnswer>
  /** Logs in anew, whatever token is kept. */
  login(settings: Settings, signal: AbortSignal): Promise<void>
}

/** Milliseconds. A token is valid for a day. */
const tokenLife = 23 * 3_600_000

export function instaboxAccess({ login }: InstaboxHosts): InstaboxAccess {
  const tokens = keptTokens()
  const credentials = ({ client_id, client_secret }: Settings) => [login.url, client_id, client_secret]

  async function newToken(settings: Settings, signal: AbortSignal): Promise<string> {
    const { client_id = '', client_secret = '' } = settings
    const question = { courier: name, purpose: 'read' } as const
    const answer = await askCourier({
      ...question,
      url: `${login.url}/v1/token`,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret }),
      signal,
      fetch: login.fetch,
    })
    if (!answer.ok) throw new CourierRefused(wordsIn(answer))
    const { token } = readReply(TokenReply, answer, question)
    tokens.keep(credentials(settings), token, tokenLife)
    return token
  }

  async function ask({ host, path, settings, body, ...question }: Question): Promise<CourierAnswer> {
    const send = async (again: boolean) => {
      const kept = tokens.of(credentials(settings))
      const token = kept ?? (await newToken(settings, question.signal))
      return askCourier({
        courier: name,
        ...question,
        url: host.url + path,
        method: body ? 'POST' : 'GET',
        headers: {
          accept: body ? 'application/json' : '*/*',
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        fetch: host.fetch,
        reads: ({ status }) => {
          if (status === 401) tokens.forget(credentials(settings))
          return status === 401 && kept !== undefined && !again && question.purpose === 'read'
        },
      })
    }
    const answer = await send(false)
    return answer.status === 401 ? send(true) : answer
  }

  return { ask, login: async (settings, signal) => void (await newToken(settings, signal)) }
}
