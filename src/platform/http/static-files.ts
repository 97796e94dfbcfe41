/** The browser's side as files: the built screens, translations, conf.json, and the readable page of the API. */
import { existsSync } from 'node:fs'
import helmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { devicePolicyOf, permissionsPolicy } from '#contract/device-policy.ts'
import { notFound } from '#contract/errors.ts'
import { locales } from '#contract/limits.ts'
import { elementAt } from '#domain/objects.ts'
import type { IdentityResolver } from '#platform/auth/identity.ts'
import { builtScreens, portalPageWithForm } from './built-pages.ts'
import type { Services } from './feature-module.ts'
import { companyOfHost } from './tenant-host.ts'
import { translationBundle } from './translations.ts'

/** Of scripts, styles and pictures. It names no sources: workers take the policy of their own file. */
const assetPolicy = "object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Pages that stand alone, by their addresses. */
const publicPages: Readonly<Record<string, string>> = {
  '/tracking': 'tracking.html',
  '/rma-landing-page': 'return-portal.html',
  '/answer': 'answer.html',
  '/rma-landing-page-preview': 'return-portal.html',
}

export async function addStaticFiles(app: FastifyInstance, services: Services, _people: IdentityResolver): Promise<void> {
  const { config } = services

  await app.register(helmet, {
    global: false,
    hsts: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        // The UI kit sets style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'blob:', 'data:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        mediaSrc: ["'self'", 'blob:'],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        // The map of an address, after a click and with the company's own key.
        frameSrc: ["'self'", 'blob:', 'https://www.google.com/maps/embed/'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['pakhus', 'default', "'allow-duplicates'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
  })

  app.get('/conf.json', { config: { bareHost: true } }, async () => ({
    version: config.version,
    build: config.build,
    base_domain: config.base_domain,
    demo: services.demo.logins.length > 0,
    dev: config.dev,
    demo_logins: services.demo.logins,
  }))

  app.get('/api_server', { config: { bareHost: true } }, async request => ({ api_server: `${request.protocol}://${request.host}` }))

  app.get<{ Params: { file: string }; Querystring: { v?: string } }>(
    '/translations/:file',
    { config: { bareHost: true } },
    async (request, reply) => {
      const { file } = request.params
      const locale = locales.find(one => `${one}.json` === file)
      if (!locale) throw notFound('translations_not_found', 'There are no translations under this name')
      const words = await translationBundle(locale)
      const { v } = request.query
      reply
        .type('application/json; charset=utf-8')
        // Asked for by its content it never changes; asked for without, it is compared.
        .header('cache-control', v === words.hash ? 'public, max-age=31536000, immutable' : 'no-cache')
        .header('etag', `"${words.hash}"`)
        .header('vary', 'accept-encoding')
      if (request.headers['if-none-match']?.includes(words.hash)) return reply.code(304).send()
      const packing = (['br', 'gzip'] as const).find(one => new RegExp(`\\b${one}\\b`).test(String(request.headers['accept-encoding'])))
      return packing ? reply.header('content-encoding', packing).send(words[packing]) : reply.send(words.plain)
    },
  )

  if (!existsSync(builtScreens)) return
  // Files are looked up when they are asked for: a new build is served without a restart.
  await app.register(fastifyStatic, { root: builtScreens, preCompressed: true, serve: false, cacheControl: false })
  app.get('/*', async (request, reply) => {
    const path = elementAt(request.url.split('?'), 0)
    if (path.startsWith('/api/')) throw notFound('address_not_found', 'There is nothing at this address')
    if (/\.\w{1,12}$/.test(path)) {
      // Names under assets/ carry a hash of their content.
      reply.header('cache-control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      // The service worker keeps it with its headers, and shows it at other addresses.
      if (path.endsWith('.html')) await documentHeaders(reply, path)
      else reply.header('content-security-policy', assetPolicy)
      return reply.sendFile(path)
    }
    await documentHeaders(reply, path)
    const page = publicPages[path]
    const company = companyOfHost(request.host, config.base_domain)
    if (page === 'return-portal.html' && company) {
      const text = await portalPageWithForm(page, company, new URLSearchParams(request.url.slice(path.length)))
      if (text !== null) return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(text)
    }
    return reply.header('cache-control', 'no-cache').sendFile(page && existsSync(builtScreens + page) ? page : 'index.html')
  })
}

async function documentHeaders(reply: FastifyReply, path: string): Promise<void> {
  await reply.helmet()
  reply.header('permissions-policy', permissionsPolicy(devicePolicyOf(path)))
}
