/** The API as OpenAPI at /openapi.json, and as a page people can read at /docs: both follow from the contract alone. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import { notFound } from '#contract/errors.ts'
import { runInThread } from '#platform/threads/worker-thread.ts'
import type { ApiViewer } from './api-viewer.thread.ts'
import { openApiDocument, type PublishedEvent } from './openapi.ts'
import type { ServedCall } from './served-calls.ts'
import { companyOfHost, isLoopbackHost } from './tenant-host.ts'

/** Texts of the document that are kept, each of some megabytes. */
const mostWritten = 8

/** Where this company answers; under the bare base domain, where any company would. */
function serverOf(request: FastifyRequest, baseDomain: string): OpenApi.ServerObject {
  const code = companyOfHost(request.host, baseDomain)
  // An address has no names below it: there the path alone names the company.
  const isAddress = isLoopbackHost(request.host) && code === null
  return code
    ? { url: `${request.protocol}://${request.host}/api/${code}` }
    : {
        url: `${request.protocol}://${isAddress ? '' : '{company}.'}${request.host}/api/{company}`,
        variables: { company: { default: 'demo', description: 'The company’s code.' } },
      }
}

const beginning = (server: string) => `Every call of Pakhus. The company is the first label of the host name and stands in the path.

## The first order

A shop's own program has a **CMS key**: somebody makes it under *Settings → API keys*. People's programs sign in with \`POST session\` and
use the token of its answer. Either goes into the \`authorization\` header.

\`\`\`sh
KEY=…   # from Settings → API keys
PAKHUS=${server}
curl -sS $PAKHUS/cms/orders \\
  -H "authorization: $KEY" \\
  -H 'content-type: application/json' --data '{
    "order_no": "1001", "currency": "DKK",
    "ship_to": {
      "name": "Lene Holm", "address1": "Skibhusvej 52",
      "postcode": "5000", "city": "Odense C", "country": "DK"
    },
    "lines": [{
      "sku": "MUG-BLUE", "barcode": "5701234567899",
      "name": "Enamel mug, blue", "qty": 2
    }]
  }'
curl -sS $PAKHUS/cms/orders/1001 -H "authorization: $KEY"
\`\`\`

The first answers \`created\`, sent again \`unchanged\`. The second says how far the order is, with the link
under which its recipient follows it, and the tracking numbers of its parcels once it is packed.

## Web hooks

WooCommerce and Shopify send their orders by themselves: *Settings → API keys* tells the address and keeps the secret with which they sign.
Without a shop, a delivery can be signed by hand:

\`\`\`sh
SECRET=…   # as kept for the shop main
BODY='{
  "id": 77, "number": "77", "status": "processing", "currency": "DKK",
  "billing": {
    "first_name": "Lene", "last_name": "Holm", "address_1": "Skibhusvej 52",
    "postcode": "5000", "city": "Odense C", "country": "DK"
  },
  "line_items": [{
    "id": 1, "sku": "MUG-BLUE", "name": "Enamel mug, blue",
    "quantity": 2, "subtotal": "120.00", "total": "120.00", "total_tax": "30.00"
  }]
}'
SIGN=$(printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64)
curl -sS $PAKHUS/cms/webhook/woocommerce/main \\
  -H "x-wc-webhook-signature: $SIGN" \\
  -H 'x-wc-webhook-topic: order.updated' \\
  -H 'content-type: application/json' --data "$BODY"
\`\`\`

It answers 204. *Settings → API keys* and \`GET cms/webhooks\` show what the last delivery did.

## Refusals

A refusal is one sentence of plain text. With \`accept: application/json\` it is JSON with a stable \`code\` and the wrong fields, with
\`accept: application/problem+json\` the same as problem details (RFC 9457). Programs branch on \`code\` (schema \`ErrorCode\`), never on the
sentence. What is sent in lists is
judged one by one: the answer is 200 and says for each what became of it.`

/** The viewer does not start without storage, which a sandbox refuses: what it stores here lasts as long as the page. */
const storageInMemory = `<script>
for (const name of ['localStorage', 'sessionStorage'])
  try {
    window[name]
  } catch {
    const kept = new Map()
    const value = {
      getItem: key => kept.get(String(key)) ?? null,
      setItem: (key, value) => void kept.set(String(key), String(value)),
      removeItem: key => void kept.delete(String(key)),
      clear: () => kept.clear(),
      key: i => [...kept.keys()][i] ?? null,
      get length() { return kept.size },
    }
    Object.defineProperty(window, name, { value })
  }
</script>`

const viewerPolicy =
  "sandbox allow-scripts allow-forms allow-popups; default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'"

/**
 * The readable page. Its viewer needs a looser policy than the screens, so it runs in a sandbox: without an origin it can read neither
 * the storage of the screens, where the token lies, nor what they are allowed to ask.
 */
export async function addApiDocs(
  app: FastifyInstance,
  {
    calls,
    events,
    version,
    baseDomain,
  }: { calls: readonly ServedCall[]; events: readonly PublishedEvent[]; version: string; baseDomain: string },
): Promise<void> {
  let document: OpenApi.Document | undefined
  /** By address: anyone may ask, and writing megabytes anew for each request would be a way to keep the server busy, as bytes that all answers share. */
  const written = new Map<string, Buffer>()
  app.get('/openapi.json', { config: { bareHost: true } }, async (request, reply) => {
    document ??= openApiDocument(calls, version, events)
    const server = serverOf(request, baseDomain)
    let text = written.get(server.url)
    if (text === undefined) {
      text = Buffer.from(JSON.stringify({ ...document, info: { ...document.info, description: beginning(server.url) }, servers: [server] }))
      if (written.size >= mostWritten) written.clear()
      written.set(server.url, text)
    }
    return reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8').send(text)
  })
  app.options('/api/*', async (request, reply) => {
    if (request.headers.origin !== 'null') throw notFound('address_not_found', 'There is nothing at this address')
    return reply
      .code(204)
      .header('access-control-allow-origin', 'null')
      .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
      .header('access-control-allow-headers', 'authorization, content-type, accept')
      .send()
  })
  let viewer: Promise<ApiViewer> | undefined
  const openViewer = () => {
    viewer ??= runInThread<ApiViewer>(new URL('./api-viewer.thread.ts', import.meta.url), undefined, {
      signal: AbortSignal.timeout(60_000),
      memory: 256,
    })
    // The next reader tries again.
    viewer.catch(() => (viewer = undefined))
    return viewer
  }
  const answerWith = (reply: FastifyReply) => reply.header('content-security-policy', viewerPolicy)
  app.get('/docs/', async (request, reply) => {
    // The page names its script relative to itself.
    if (!/^[^?]*\/(\?|$)/.test(request.url)) return answerWith(reply).redirect('/docs/', 301)
    const { page } = await openViewer()
    return answerWith(reply)
      .type('text/html; charset=utf-8')
      .send(page.replace('<head>', `<head>${storageInMemory}`))
  })
  app.get('/docs/js/scalar.js', async (_request, reply) => {
    const { script } = await openViewer()
    return answerWith(reply).type('application/javascript; charset=utf-8').send(Buffer.from(script.buffer))
  })
}
