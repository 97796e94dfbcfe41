/** A receiver of outgoing webhooks as our documents ask for it: checks the signature with code of its own and recognises repeats. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReceivedWebhook {
  headers: IncomingHttpHeaders
  body: {
    id: string
    type: string
    occurred_at: string
    company: string
    object: { type: string; id: number; seq: number }
    changed: Record<string, unknown>
    facts: Record<string, unknown>
    data: unknown
    erased: boolean
    test: boolean
  }
  /** Signed with the secret, not more than five minutes ago. */
  genuine: boolean
}
type Answer = { status: number; headers?: Record<string, string>; text?: string }

export async function startWebhookReceiver(now: () => Date) {
  const received: ReceivedWebhook[] = []
  let secret = ''
  let answer: (webhook: ReceivedWebhook) => Answer = () => ({ status: 204 })
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8')
      const webhook = { headers: request.headers, body: JSON.parse(text), genuine: isGenuine(request.headers, text) }
      received.push(webhook)
      const { status, headers = {}, text: said = '' } = answer(webhook)
      response.writeHead(status, headers).end(said)
    })
  })
  function isGenuine(headers: IncomingHttpHeaders, text: string): boolean {
    const parts = String(headers['pakhus-signature']).split(',')
    const at = Number(parts.find(part => part.startsWith('t='))?.slice(2))
    if (!(Math.abs(now().getTime() / 1_000 - at) <= 300)) return false
    const wanted = createHmac('sha256', secret).update(`${at}.${text}`).digest()
    return parts
      .filter(part => part.startsWith('v1='))
      .some(part => {
        const given = Buffer.from(part.slice(3), 'hex')
        return given.length === wanted.length && timingSafeEqual(given, wanted)
      })
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    setSecret(text: string) {
      secret = text
    },
    setAnswer(next: typeof answer) {
      answer = next
    },
    close: () => new Promise<void>(resolve => void server.close(() => resolve())),
  }
}
