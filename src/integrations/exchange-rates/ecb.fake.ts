/**
 * The rate files of the European Central Bank as its site describes them: an envelope, one `Cube` for each day, one for each currency.
 * The rates are invented.
 */
import { createServer } from 'node:http'

const currencies =
  'USD JPY CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR'.split(' ')
const known: Record<string, string> = { DKK: '7.46', NOK: '11.75', SEK: '11.20', GBP: '0.86', CHF: '0.94', USD: '1.16' }

export const rateFile = (days: readonly string[], changed: Record<string, string> = {}): string => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
  <Cube>${days
    .map(
      day => `
    <Cube time='${day}'>${currencies
      .map(currency => `<Cube currency='${currency}' rate='${changed[currency] ?? known[currency] ?? '10.5'}'/>`)
      .join('')}</Cube>`,
    )
    .join('')}
  </Cube>
</gesmes:Envelope>`

export interface FakeBank {
  url: string
  /** What each file holds now. */
  files: { daily: string; ninety_days: string }
  /** Paths that were asked for. */
  asked: string[]
  close: () => Promise<void>
}

export async function openFakeBank(): Promise<FakeBank> {
  const files = { daily: '', ninety_days: '' }
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const text = request.url?.includes('90d') ? files.ninety_days : files.daily
    response.writeHead(text === '' ? 404 : 200, { 'content-type': 'text/xml' }).end(text)
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, files, asked, close: () => new Promise(closed => server.close(() => closed())) }
}
