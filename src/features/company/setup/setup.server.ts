/** Setup: the one-time link of the first start, and the request of its page. It is outside of all tenants. */
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { conflict, forbidden, notFound, tooMany, unprocessable } from '#contract/errors.ts'
import { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { newPasswordFault } from '#features/company/users/new-password.server.ts'
import type { Config } from '#platform/config.ts'
import { equalConstantTime, hashPassword, hashToken, newToken } from '#platform/crypto/vault.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { companyOfHost, normalizeAddress } from '#platform/http/tenant-host.ts'
import { setupPath } from './setup.contract.ts'
import { foundOperator, hasCompanies, setUpAlready } from './setup.queries.ts'
import { homeOf } from './setup.rules.ts'
import { Founded, Founding, SetupState } from './setup.schemas.ts'

const linkLivesHours = 24

/** Hash of the valid token; the token itself is stored only in the link. */
const tokenFile = (config: Config) => join(config.data_dir, 'setup.json')
/** For people without access to the terminal: readable by the server's own user only. */
export const linkFile = (config: Config) => join(config.data_dir, 'setup-link.txt')

const Kept = z.object({ token_hash: z.string(), expires_at: z.string() })

/** Address of the bare base domain, as people type it. */
function baseAddress(config: Config, port: number): string {
  if (config.public_url) return config.public_url.replace('{company}.', '')
  return `http://${config.base_domain}${port === 80 ? '' : `:${port}`}`
}

/** Makes a new link on an empty installation and invalidates an earlier one. Returns a function that prints it once the port is known, or null when a company exists. */
export async function openSetup({ config, database, now }: Services): Promise<((port: number) => Promise<string>) | null> {
  if (await hasCompanies(database)) {
    await closeSetup(config)
    return null
  }
  const token = newToken()
  const expires_at = new Date(now().getTime() + linkLivesHours * 3_600_000).toISOString()
  await writePrivately(tokenFile(config), JSON.stringify({ token_hash: hashToken(token).toString('hex'), expires_at }))
  return async port => {
    const link = `${baseAddress(config, port)}${setupPath}#${token}`
    await writePrivately(linkFile(config), `${link}\n`)
    return link
  }
}

async function writePrivately(path: string, text: string): Promise<void> {
  await rm(path, { force: true })
  await writeFile(path, text, { mode: 0o600, flag: 'wx' })
  await chmod(path, 0o600)
}

async function closeSetup(config: Config): Promise<void> {
  await rm(tokenFile(config), { force: true })
  await rm(linkFile(config), { force: true })
}

/** The routes under the bare base domain; at a company's own host they do not exist. */
export function addSetup(app: FastifyInstance, services: Services): void {
  const { config } = services
  const limit = {
    bareHost: true,
    rateLimit: {
      max: 20,
      timeWindow: 60_000,
      keyGenerator: ({ method, ip }: FastifyRequest) => `${method} ${setupPath} ${ip}`,
      errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
        tooMany('too_many_attempts', 'Too many attempts. Wait {{seconds}} seconds.', { seconds: Math.ceil(ttl / 1_000) }),
    },
  }
  const bare = async (request: FastifyRequest) => {
    if (companyOfHost(request.host, config.base_domain) !== '') throw notFound('address_not_found', 'There is nothing at this address')
  }

  app.get(`${setupPath}/state`, { config: limit, preHandler: bare, schema: { response: { 200: SetupState } } }, async request => ({
    open: !(await hasCompanies(services.database)),
    ip: normalizeAddress(request.ip),
  }))

  app.post(setupPath, { config: limit, preHandler: bare, schema: { body: Founding, response: { 200: Founded } } }, async request => {
    const founding = Founding.parse(request.body)
    if (await hasCompanies(services.database)) throw conflict('already_set_up', setUpAlready)
    await checkToken(services, founding.token)
    const { operator, company, admin } = founding
    const fault = await newPasswordFault(
      services,
      admin.password,
      [operator, company.code, company.name, admin.name, admin.user_name, admin.email ?? ''].filter(Boolean),
    )
    if (fault) throw unprocessable('password_rejected', fault, {}, { fields: { 'admin.password': fault } })
    const { country, currency } = homeOf[founding.locale]
    const settings = CompanySettings.parse({
      locale: founding.locale,
      currency,
      sender: { name: company.name, country },
      time_zone: isTimeZone(founding.time_zone) ? founding.time_zone : undefined,
      packing_ip_pattern: founding.packing_here ? literally(normalizeAddress(request.ip)) : '',
    })
    await foundOperator(services.database, {
      operator,
      company: { ...company, settings },
      admin: {
        name: admin.name,
        user_name: admin.user_name,
        email: admin.email ?? null,
        password_hash: await hashPassword(admin.password),
      },
    })
    await closeSetup(config)
    services.log.info({ company: company.code }, 'the installation is set up')
    return { code: company.code }
  })
}

async function checkToken({ config, now }: Services, token: string): Promise<void> {
  const text = await readFile(tokenFile(config), 'utf8').catch(() => '')
  const kept = text === '' ? undefined : Kept.safeParse(JSON.parse(text)).data
  if (!kept || !equalConstantTime(kept.token_hash, hashToken(token).toString('hex')))
    throw forbidden('setup_link_invalid', 'This link is not valid. Use the one that the server printed when it started last.')
  if (Date.parse(kept.expires_at) < now().getTime())
    throw forbidden('setup_link_expired', 'This link is older than a day. Start the server again: it prints a new one.')
}

/** The pattern that matches exactly this address. */
const literally = (address: string): string => address.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&')

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}
