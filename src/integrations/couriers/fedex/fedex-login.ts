/** Calls of FedEx behind its login. Shipping and tracking are usually two projects with a key pair each. */
import { CourierRefused } from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, readReply, wordsIn } from '../courier-http.ts'
import { keptTokens } from '../kept-tokens.ts'
import { Failures, TokenReply } from './fedex.schemas.ts'

export const name = 'FedEx'
type Settings = Record<string, string>
type Project = 'ship' | 'track'

export interface FedexHosts {
  live: CourierHost
  sandbox: CourierHost
}

type Question = Pick<CourierQuestion, 'purpose' | 'method' | 'signal'> & {
  project: Project
  path: string
  settings: Settings
  body: object
  /** Comes back in the answer. */
  transaction?: string
}

export interface FedexAccess {
  ask(question: Question): Promise<CourierAnswer>
  /** Logs in anew, whatever token is kept. */
  login(project: Project, settings: Settings, signal: AbortSignal): Promise<void>
}

/** Milliseconds: a booking that waits longer for its login could not be waited for itself. */
const loginPatience = 8_000

/** Tracking uses the keys of shipping where it has none of its own. */
function keysOf(project: Project, { ship_id = '', ship_secret = '', track_id = '', track_secret = '' }: Settings): [string, string] {
  return project === 'track' && track_id !== '' && track_secret !== '' ? [track_id, track_secret] : [ship_id, ship_secret]
}

/** FedEx's own words, with its codes. */
export function saidIn(answer: CourierAnswer): string {
  const errors = Failures.safeParse(answer.body).data?.errors ?? []
  const said = errors.map(({ code, message }) => [message, code && `(${code})`].filter(Boolean).join(' ')).filter(Boolean)
  return [...new Set(said)].slice(0, 3).join('; ').slice(0, 400) || wordsIn(answer)
}

/** FedEx itself did not take the token, and did nothing with the call. */
const isTurnedAway = ({ status, body }: CourierAnswer): boolean => status === 401 && Failures.safeParse(body).success

export function fedexAccess({ live, sandbox }: FedexHosts): FedexAccess {
  const tokens = keptTokens()
  const hostOf = ({ mode }: Settings): CourierHost => (mode === 'sandbox' ? sandbox : live)
  const credentials = (project: Project, settings: Settings) => [hostOf(settings).url, ...keysOf(project, settings)]

  async function newToken(project: Project, settings: Settings, signal: AbortSignal): Promise<string> {
    const host = hostOf(settings)
    const [client_id, client_secret] = keysOf(project, settings)
    const question = { courier: name, purpose: 'read' } as const
    const answer = await askCourier({
      ...question,
      url: `${host.url}/oauth/token`,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })),
      signal: AbortSignal.any([signal, AbortSignal.timeout(loginPatience)]),
      fetch: host.fetch,
    })
    if (!answer.ok) throw new CourierRefused(saidIn(answer))
    const { access_token, expires_in } = readReply(TokenReply, answer, question)
    tokens.keep(credentials(project, settings), access_token, (expires_in - 60) * 1_000)
    return access_token
  }

  return {
    async ask({ project, path, settings, body, transaction, ...question }) {
      const host = hostOf(settings)
      const send = (token: string, reads: (answer: CourierAnswer) => boolean) =>
        askCourier({
          courier: name,
          ...question,
          url: host.url + path,
          headers: {
            accept: 'application/json',
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
            'x-locale': 'en_US',
            ...(transaction !== undefined && { 'x-customer-transaction-id': transaction }),
          },
          body: JSON.stringify(body),
          fetch: host.fetch,
          reads: answer => {
            if (answer.status === 401) tokens.forget(credentials(project, settings))
            return reads(answer)
          },
        })
      const kept = tokens.of(credentials(project, settings))
      if (kept) {
        const answer = await send(kept, isTurnedAway)
        if (!isTurnedAway(answer)) return answer
      }
      return send(await newToken(project, settings, question.signal), () => false)
    },
    login: async (project, settings, signal) => void (await newToken(project, settings, signal)),
  }
}
