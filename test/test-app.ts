/** The app of a test: a server on its own database, operators made by builders, and users who call it over HTTP. */
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import { inject } from 'vitest'
import { type App, createApp } from '#app/create-app.ts'
import { features } from '#app/features.ts'
import type { Permission } from '#contract/access.ts'
import type { Call, RequestInput, ResponseOutput } from '#contract/endpoint.ts'
import { readConfig } from '#platform/config.ts'
import { hashToken, newToken } from '#platform/crypto/vault.ts'
import type { Database } from '#platform/database/database.ts'
import { type BuiltCompany, type BuiltOperator, buildOperator, buildUser, scopeOfCompany } from '../src/app/demo/builders.ts'
import type { CompanySettings } from '../src/features/company/companies/companies.schemas.ts'

/** What a refused call threw in the test's hands. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly key: string
  readonly fields: Record<string, string>
  readonly current: unknown
  constructor(status: number, body: { code: string; message: string; key: string; fields: Record<string, string>; current?: unknown }) {
    super(body.message)
    this.status = status
    this.code = body.code
    this.key = body.key
    this.fields = body.fields
    this.current = body.current
  }
}

export interface TestUser {
  user_id: number
  token: string
  company: BuiltCompany
  /** Makes the call and answers what the contract promises; throws `Rejected`. */
  send<C extends Call>(
    call: C,
    input: RequestInput<C>,
    options?: { station?: string; headers?: Record<string, string> },
  ): Promise<ResponseOutput<C>>
  /** The same without judging the answer. */
  ask(call: Call, input: unknown, options?: { station?: string; headers?: Record<string, string> }): Promise<LightMyRequestResponse>
}

export interface TestOperator extends BuiltOperator {
  /** A signed-in user with these permissions; of the main company unless another is given. */
  hire(permissions: readonly Permission[], company?: BuiltCompany, name?: string): Promise<TestUser>
}

export interface TestApp extends App {
  url: string
  /** Sets the clock of the app. */
  setNow(at: Date | undefined): void
  operator(plan?: { shops?: number; settings?: Partial<CompanySettings> }): Promise<TestOperator>
  /** A visitor without a login. */
  visitor(company: BuiltCompany): TestUser
  close(): Promise<void>
  /** Closes the app; its database and its files become what later apps are copied from. */
  closeAs(template: Required<Template>): Promise<void>
}

/** What the database of an app is copied from, and the folder of its files. */
export interface Template {
  database: string
  files?: string
}

let operators = 0

/** By the line of each call. */
export const replies = new Map(features.flatMap(({ calls }) => Object.values(calls).map(({ line, reply }) => [line, reply])))

/** Opens an app on a database of its own, which is empty without another `template`. `env` adds settings; `through` may put a proxy before the database. */
export async function openTestApp(
  env: Record<string, string> = {},
  through: (url: string) => Promise<string> = async url => url,
  template: Template = { database: 'template_pakhus' },
): Promise<TestApp> {
  const root = inject('database')
  const name = `app_${randomUUID().replaceAll('-', '')}`
  // By its files: through the log, as is usual, takes three times as long.
  await onRoot(root, `create database ${name} template ${template.database} strategy file_copy`)
  const url = root.replace(/\/[^/]*$/, `/${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'pakhus-app-'))
  if (template.files) await cp(template.files, folder, { recursive: true })
  let turned: Date | undefined
  const building = await createApp(
    readConfig({ DATA_DIR: folder, LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent', BREACHED_PASSWORDS_URL: 'off', ...env }),
    await through(url),
    { now: () => turned ?? new Date() },
  )

  const worker = (company: BuiltCompany, user_id: number, token: string): TestUser => {
    const ask: TestUser['ask'] = (call, input, options) => request(building, company, token, call, input, options)
    return {
      user_id,
      token,
      company,
      ask,
      async send(call, input, options) {
        const response = await ask(call, input, options)
        if (response.statusCode >= 400) throw new Refused(response.statusCode, response.json())
        if (call.media) return { bytes: response.rawPayload, media_type: String(response.headers['content-type']) } as never
        return replies.get(call.line)?.parse(response.json()) as never
      },
    }
  }

  return {
    ...building,
    url,
    setNow: at => {
      turned = at
    },
    visitor: company => worker(company, 0, ''),
    async operator({ shops = 0, settings } = {}) {
      const n = `${++operators}${randomUUID().slice(0, 6)}`
      const open = { packing_ip_pattern: '127\\.0\\.0\\.1', ...settings }
      const built = await buildOperator(building.services.database, {
        name: `Operator ${n}`,
        main: { code: `main-${n}`, name: `Main ${n}`, settings: open },
        shops: Array.from({ length: shops }, (_, i) => ({ code: `shop${i + 1}-${n}`, name: `Shop ${i + 1} ${n}`, settings: open })),
      })
      return {
        ...built,
        async hire(permissions, company = built.main, name = permissions[0] ?? 'no permissions') {
          // The clock of the app may be set to a later day.
          const at = new Date(Math.max(Date.now(), turned?.getTime() ?? 0))
          const { user_id, token } = await hireUser(building.services.database, built, { permissions, company, name, at })
          return worker(company, user_id, token)
        },
      }
    },
    async close() {
      await building.close()
      await dropDatabase(root, name)
      await rm(folder, { recursive: true, force: true })
    },
    async closeAs({ database, files }) {
      await building.close()
      await cp(folder, files, { recursive: true })
      await rm(folder, { recursive: true, force: true })
      const client = new pg.Client({ connectionString: root })
      await client.connect()
      await untilUnused(client, name)
      await client.query(`alter database ${name} rename to ${database}`)
      await client.end()
    },
  }
}

/** A user of one company with a session. */
export async function hireUser(
  database: Database,
  built: BuiltOperator,
  { permissions, company, name, at = new Date() }: { permissions: readonly Permission[]; company: BuiltCompany; name: string; at?: Date },
): Promise<{ user_id: number; token: string }> {
  const scope = { ...scopeOfCompany(built, company), companies: [company.id] }
  const user_id = await buildUser(database, scope, { name, permissions })
  const token = newToken()
  await database.transaction(scope, db =>
    db
      .insertInto('sessions')
      .values({
        user_id,
        token_hash: hashToken(token),
        last_used_at: at.toISOString(),
        expires_at: new Date(at.getTime() + 86_400_000).toISOString(),
      })
      .execute(),
  )
  return { user_id, token }
}

export async function onRoot(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

async function untilUnused(client: pg.Client, name: string): Promise<void> {
  const isUsed = async () => {
    const { rows } = await client.query('select from pg_stat_activity where datname = $1 limit 1', [name])
    return rows.length > 0
  }
  for (let tries = 0; tries < 500 && (await isUsed()); tries++) await new Promise(resolve => setTimeout(resolve, 20))
}

/** A pool says that it has ended before its connections are gone, and one that is cut off after that throws where no test can catch it. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await untilUnused(client, name)
  await client.query(`drop database if exists ${name} with (force)`)
  await client.end()
}

/** Makes a call to an app without a socket. */
export function request(
  { app }: Pick<App, 'app'>,
  company: BuiltCompany,
  token: string,
  call: Call,
  input: unknown,
  { station, headers }: { station?: string; headers?: Record<string, string> } = {},
): Promise<LightMyRequestResponse> {
  const { body, upload, ...rest } = input as { body?: unknown; upload?: Uint8Array; [name: string]: unknown }
  const names = [...call.path.matchAll(/\{(\w+)\*?\}/g)].map(match => match[1] as string)
  const path = call.path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, wide: string) =>
    wide ? String(rest[name]) : encodeURIComponent(String(rest[name])),
  )
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(rest))
    if (!names.includes(key) && value !== undefined && value !== null) query.set(key, String(value))
  return app.inject({
    method: call.method,
    url: `/api/${company.code}/${path}${query.size ? `?${query}` : ''}`,
    headers: {
      host: `${company.code}.localhost`,
      accept: 'application/json',
      ...(token && { authorization: token }),
      ...(station && { 'x-packing-station': encodeURIComponent(station) }),
      ...(upload && { 'content-type': 'application/octet-stream' }),
      ...headers,
    },
    ...(upload ? { payload: Buffer.from(upload) } : body === undefined ? {} : { payload: body as object }),
  })
}
