/** A mail server of tests: real SMTP, which keeps what it gets and refuses what a test says. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

interface ReceivedMail {
  from: string
  to: readonly string[]
  /** The whole message. */
  source: string
}

type Refuse = { at: 'sign-in' | 'sender' | 'recipient' | 'message'; code: number; text: string } | null

/** Starts a server on this machine; `signIn` is the only pair that it accepts. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = []
  const signIn = { user: 'warehouse', password: 'a long mail password' }
  let refuse: Refuse = null
  const refusalAt = (at: NonNullable<Refuse>['at']): Error | null =>
    refuse?.at === at ? Object.assign(new Error(refuse.text), { responseCode: refuse.code }) : null
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _, done) {
      const refused = refusalAt('sign-in')
      if (refused) return done(refused)
      if (username !== signIn.user || password !== signIn.password)
        return done(Object.assign(new Error('5.7.8 Authentication failed'), { responseCode: 535 }))
      done(null, { user: username })
    },
    onMailFrom: (_, __, done) => done(refusalAt('sender')),
    onRcptTo: (_, __, done) => done(refusalAt('recipient')),
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const refused = refusalAt('message')
        if (refused) return done(refused)
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(one => one.address),
          source: Buffer.concat(parts).toString('utf8'),
        })
        done(null, 'queued')
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    signIn,
    received,
    setRefusal(next: Refuse) {
      refuse = next
    },
    close: () => new Promise<void>(resolve => void server.close(() => resolve())),
  }
}
