/** The thread that makes the page which shows the API: the package carries 4.5 MB of script in its source, which no server process keeps. */
import scalar from '@scalar/fastify-api-reference'
import { fastify } from 'fastify'
import { answerTask } from '#platform/threads/worker-thread.ts'

export interface ApiViewer {
  page: string
  /** Bytes of UTF-8. */
  script: Uint8Array
}

await answerTask<undefined, ApiViewer>(async () => {
  const app = fastify()
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      mcp: { disabled: true },
      hideClientButton: true,
      agent: { disabled: true },
    },
  })
  const [page, code] = await Promise.all([app.inject('/docs/'), app.inject('/docs/js/scalar.js')])
  await app.close()
  const script = new Uint8Array(code.rawPayload)
  return { answer: { page: page.body, script }, transfer: [script.buffer] }
})
