/** GatewayAPI, Twilio and inMobile on the loopback: they follow their documents, refuse what the real ones refuse, and keep what they get. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface SentMessage {
  provider_id: string
  to: string
  text: string
  sender: string
  encoding: string
  reference: string
  callback_url: string | null
}

interface Behaviour {
  /** Answers this status without doing anything. */
  status?: number
  body?: unknown
  /** The messages are taken, and the connection breaks before the answer. */
  lostAnswer?: boolean
  /** Milliseconds before the answer. */
  slow?: number
}

interface Answer {
  status: number
  body: unknown
}

const errorOf = (status: number, body: object): Answer => ({ status, body })
const lengthOfSender = (sender: string) => (/^\+?\d+$/.test(sender) ? sender.length <= 16 : sender.length <= 11)
/** The GSM alphabet roughly: what the classic interface sends as question marks when the wrong encoding is given. */
const isGsm = (text: string) => !/[^\n\r -~£¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà€]/.test(text)

export async function startSmsGateways() {
  const token = 'the token of this account'
  const account_sid = 'AC00000000000000000000000000000001'
  const sent: SentMessage[] = []
  const asked: { method: string; path: string }[] = []
  const behaviours: Behaviour[] = []
  const optedOut = new Set<string>()
  /** Of inMobile: each is given once. */
  const reports: object[] = []
  const incoming: object[] = []
  let next = 421_332_671
  let balance = 812.5

  const take = (message: Omit<SentMessage, 'provider_id'>, prefix = ''): string => {
    const provider_id = `${prefix}${next++}`
    sent.push({ ...message, provider_id })
    return provider_id
  }

  function classic(body: Record<string, unknown>): Answer {
    const { message, sender, recipients, encoding } = body
    if (typeof message !== 'string' || message === '' || !Array.isArray(recipients) || recipients.length === 0)
      return errorOf(422, { code: '0x0213', incident_uuid: 'd1', message: 'Invalid message', variables: [] })
    if (typeof sender !== 'string' || !lengthOfSender(sender))
      return errorOf(422, { code: '0x0213', incident_uuid: 'd2', message: 'Sender too long', variables: [] })
    if (balance <= 0) return errorOf(403, { code: '0x0216', incident_uuid: 'd3', message: 'Insufficient credit', variables: [] })
    const ids = recipients.map(({ msisdn }: { msisdn: unknown }) => {
      if (!Number.isInteger(msisdn)) return null
      const text = encoding === 'UCS2' || isGsm(message) ? message : message.replace(/[^ -~]/g, '?')
      return Number(
        take({
          to: `+${msisdn}`,
          text,
          sender,
          encoding: String(encoding),
          reference: String(body.userref ?? ''),
          callback_url: typeof body.callback_url === 'string' ? body.callback_url : null,
        }),
      )
    })
    if (ids.includes(null)) return errorOf(422, { code: '0x0213', incident_uuid: 'd4', message: 'Invalid msisdn', variables: [] })
    return { status: 200, body: { ids, usage: { countries: { DK: ids.length }, currency: 'DKK', total_cost: 0.307 * ids.length } } }
  }

  function messaging(body: Record<string, unknown>): Answer {
    const { messages } = body
    if (!Array.isArray(messages) || messages.length === 0 || messages.length > 1_000)
      return errorOf(422, { detail: [{ loc: ['body', 'messages'], msg: 'invalid' }] })
    const responses = messages.map(({ sender, recipient, message, reference }: Record<string, unknown>) => ({
      msg_id: take(
        {
          to: `+${recipient}`,
          text: String(message),
          sender: String(sender),
          encoding: 'auto',
          reference: String(reference),
          callback_url: null,
        },
        'm',
      ),
      recipient,
      reference,
    }))
    return { status: 202, body: { responses } }
  }

  function twilioMessages(form: URLSearchParams): Answer {
    const [to, sender, text] = [form.get('To') ?? '', form.get('From') ?? form.get('MessagingServiceSid') ?? '', form.get('Body') ?? '']
    const refused = (code: number, message: string) =>
      errorOf(400, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status: 400 })
    if (!/^\+\d{7,15}$/.test(to)) return refused(21211, `The 'To' number ${to} is not a valid phone number.`)
    if (optedOut.has(to)) return refused(21610, 'Attempt to send to unsubscribed recipient')
    if (sender === '' || !lengthOfSender(sender)) return refused(21212, 'Invalid From')
    if (text === '' || text.length > 1_600) return refused(21617, 'The concatenated message body exceeds the 1600 character limit')
    const sid = take({ to, text, sender, encoding: 'auto', reference: '', callback_url: form.get('StatusCallback') }, 'SM')
    return {
      status: 201,
      body: { sid, status: 'queued', to, from: sender, body: text, num_segments: '1', price: null, price_unit: 'USD', error_code: null },
    }
  }

  function inMobileSend(body: Record<string, unknown>): Answer {
    const { messages } = body
    if (!Array.isArray(messages) || messages.length === 0 || messages.length > 250)
      return errorOf(400, { errorMessage: 'Between 1 and 250 messages', details: [] })
    const results = messages.map(({ to, text, from, encoding, statusCallbackUrl }: Record<string, unknown>) => {
      const isValidMsisdn = /^\d{8,15}$/.test(String(to))
      // Cut in silence, as the documents say.
      const sender = String(from).slice(0, 11)
      const messageId = isValidMsisdn
        ? take(
            {
              to: `+${to}`,
              text: String(text),
              sender,
              encoding: String(encoding),
              reference: '',
              callback_url: typeof statusCallbackUrl === 'string' ? statusCallbackUrl : null,
            },
            'im-',
          )
        : `im-invalid-${next++}`
      return { messageId, smsCount: 1, encoding, from: sender, numberDetails: { countryCode: '45', rawMsisdn: String(to), isValidMsisdn } }
    })
    return { status: 200, body: { results } }
  }

  function answerTo(method: string, path: string, request: IncomingMessage, raw: string): Answer {
    const authorization = request.headers.authorization ?? ''
    const basicOf = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const json = (): Record<string, unknown> => JSON.parse(raw || '{}')
    if (path.startsWith('/rest/')) {
      if (authorization !== basicOf(token, ''))
        return errorOf(401, { code: '0x0210', incident_uuid: 'd5', message: 'Unauthorized', variables: [] })
      if (method === 'GET' && path === '/rest/me') return { status: 200, body: { credit: balance, currency: 'DKK', id: 7 } }
      return method === 'POST' && path === '/rest/mtsms' ? classic(json()) : errorOf(404, { code: '0x0310', message: 'Not found' })
    }
    if (path.startsWith('/mobile/')) {
      if (authorization === '') return errorOf(401, { detail: 'Not authenticated' })
      if (authorization !== `Token ${token}`) return errorOf(403, { detail: 'Invalid token' })
      return messaging(json())
    }
    if (path.startsWith('/2010-04-01/')) {
      if (authorization !== basicOf(account_sid, token)) return errorOf(401, { code: 20003, message: 'Authenticate', status: 401 })
      if (path.endsWith('/Balance.json')) return { status: 200, body: { account_sid, balance: balance.toFixed(2), currency: 'USD' } }
      return twilioMessages(new URLSearchParams(raw))
    }
    if (!authorization.endsWith(Buffer.from(`pakhus:${token}`).toString('base64')))
      return errorOf(401, { errorMessage: 'Unauthorized', details: [] })
    if (path.startsWith('/v4/sms/outgoing/reports')) return { status: 200, body: { reports: reports.splice(0, 250) } }
    if (path.startsWith('/v4/sms/incoming/messages')) return { status: 200, body: { messages: incoming.splice(0, 250) } }
    return path === '/v4/sms/outgoing' ? inMobileSend(json()) : errorOf(404, { errorMessage: 'Not found', details: [] })
  }

  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      const [method, path] = [request.method ?? '', request.url ?? '']
      asked.push({ method, path })
      const behaviour = behaviours.shift()
      if (behaviour?.slow) await sleep(behaviour.slow)
      const { status, body } =
        behaviour?.status === undefined
          ? answerTo(method, path, request, Buffer.concat(parts).toString('utf8'))
          : { status: behaviour.status, body: behaviour.body ?? {} }
      if (behaviour?.lostAnswer) return void response.socket?.destroy()
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    account_sid,
    sent,
    asked,
    optedOut,
    reports,
    incoming,
    /** What the next requests get, in their order. */
    behave: (...next: Behaviour[]) => void behaviours.push(...next),
    setBalance(amount: number) {
      balance = amount
    },
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A call of GatewayAPI's classic interface: the body as a JWT. */
export function classicCallback(body: object, secret: string) {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(body)}`
  const signature = createHmac('sha256', secret).update(signed).digest('base64url')
  return {
    raw: Buffer.from(JSON.stringify(body)),
    headers: { 'x-gwapi-signature': `${signed}.${signature}`, 'content-type': 'application/json' },
  }
}

/** A call of GatewayAPI's Messaging API: a code of the raw body. */
export function messagingCallback(body: object, secret: string) {
  const raw = Buffer.from(JSON.stringify(body))
  return { raw, headers: { signature: createHmac('sha256', secret).update(raw).digest('hex'), 'content-type': 'application/json' } }
}

/** A call of Twilio: a form, signed with the address. */
export function twilioCallback(fields: Record<string, string>, secret: string, url: string) {
  const text = Object.entries(fields)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .reduce((all, [name, value]) => all + name + value, url)
  return {
    raw: Buffer.from(new URLSearchParams(fields).toString()),
    headers: {
      'x-twilio-signature': createHmac('sha1', secret).update(text).digest('base64'),
      'content-type': 'application/x-www-form-urlencoded',
    },
  }
}
