/** Requests to DPD's META API with the token of an account. At most a few logins a day are allowed, so it is kept. */
import { CourierRefused, CourierUnavailable } from '../courier.ts'
import { askCourier, type CourierAnswer, type CourierHost, type CourierQuestion, wordsIn } from '../courier-http.ts'
import { keptTokens } from '../kept-tokens.ts'
import { Failures } from './dpd.schemas.ts'

export const name = 'DPD'
export type Settings = Record<string, string>

export interface DpdHosts {
  live: CourierHost
  test: CourierHost
}

export interface DpdAccess {
  ask(question: Pick<CourierQuestion, 'purpose' | 'signal'> & { path: string; settings: Settings; body: object }): Promise<CourierAnswer>
  /** Logs in anew, whatever token is kept. */
  login(settings: Settings, signal: AbortSignal): Promise<void>
}

/** Milliseconds. A token is valid for a day. */
const tokenLife = 23 * 3_600_000
/** Milliseconds for the login that comes before a booking. */
const preparation = 8_000

/** DPD's own words, with its codes. */
export function saidIn(answer: CourierAnswer): string {
  const said = (Failures.safeParse(answer.body).data ?? []).map(({ errorCode, errorMessage, originError }) => {
    const words = originError?.description?.trim() || errorMessage?.trim() || ''
    const code = originError?.code?.trim() || errorCode?.trim()
    return [words, code && `(${code})`].filter(Boolean).join(' ')
  })
  return [...new Set(said)].slice(0, 3).join('; ').slice(0, 400) || wordsIn(answer)
}

export function dpdAccess({ live, test }: DpdHosts): DpdAccess {
  const tokens = keptTokens()
  const hostOf = ({ mode }: Settings): CourierHost => (mode === 'test' ? test : live)
  const credentials = (settings: Settings) => [hostOf(settings).url, settings.unit, settings.login, settings.password]

  async function newToken(settings: Settings, signal: AbortSignal): Promise<string> {
    const host = hostOf(settings)
    const answer = await askCourier({
      courier: name,
      purpose: 'read',
      url: `${host.url}/shipping/v1/login`,
      method: 'POST',
      headers: {
        accept: 'application/json',
        'x-dpd-bucode': settings.unit ?? '',
        'x-dpd-login': settings.login ?? '',
        'x-dpd-password': settings.password ?? '',
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(preparation)]),
      fetch: host.fetch,
    })
    if (!answer.ok) throw new CourierRefused(saidIn(answer))
    const token = answer.headers.get('x-dpd-token')
    if (!token) throw new CourierUnavailable('DPD answered the login without a token')
    tokens.keep(credentials(settings), token, tokenLife)
    return token
  }

  return {
    async ask({ path, settings, body, ...question }) {
      const host = hostOf(settings)
      const send = (token: string, reads: (answer: CourierAnswer) => boolean) =>
        askCourier({
          courier: name,
          ...question,
          url: host.url + path,
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify(body),
          fetch: host.fetch,
          reads: answer => {
            if (answer.status === 401) tokens.forget(credentials(settings))
            return reads(answer)
          },
        })
      const kept = tokens.of(credentials(settings))
      if (kept) {
        const answer = await send(kept, isTurnedAway)
        if (!isTurnedAway(answer)) return answer
      }
      return send(await newToken(settings, question.signal), () => false)
    },
    login: async (settings, signal) => void (await newToken(settings, signal)),
  }
}

/** DPD itself did not take the token, and did nothing with the call. */
const isTurnedAway = ({ status, body }: CourierAnswer): boolean => status === 401 && Failures.safeParse(body).success
