/** Every setting, read once from the environment. README lists the same names. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import * as z from 'zod'
import { limits } from '#contract/limits.ts'
import { dataFolder } from './data-folder.ts'

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

function isNetwork(text: string): boolean {
  const [address = '', prefix = '', ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}

const Environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  BASE_DOMAIN: z.string().default('localhost'),
  PUBLIC_URL: z.string().optional(),
  TRUSTED_PROXIES: z.string().default(''),
  SECRET_KEY: z.string().min(32, 'SECRET_KEY needs at least 32 characters').optional(),
  PERSONAL_KEY: z.string().min(32, 'PERSONAL_KEY needs at least 32 characters').optional(),
  BACKUP_PASSPHRASE: z.string().min(12, 'BACKUP_PASSPHRASE needs at least 12 characters').optional(),
  DEMO: z.enum(['0', '1']).default('1'),
  PAKHUS_DEV: z.enum(['0', '1']).default('0'),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  S3_ENDPOINT: z.string().optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('eu-central-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  API_KEY_CALLS_PER_MINUTE: z.coerce.number().int().min(1).default(limits.apiKeyCallsPerMinute),
  ALLOWED_NETWORKS: z
    .string()
    .default('')
    .refine(text => listOf(text).every(isNetwork), 'ALLOWED_NETWORKS is a list such as 10.1.0.0/16, fd00::/8'),
  METRICS_TOKEN: z.string().min(16, 'METRICS_TOKEN needs at least 16 characters').optional(),
  MIN_FREE_DISK_MB: z.coerce.number().int().min(0).default(100),
  WORKERS: z.coerce.number().int().min(1).max(64).optional(),
  PRINTNODE_URL: z.string().default('https://api.printnode.com'),
  SMS_URL: z.string().optional(),
  ECB_URL: z.string().default('https://www.ecb.europa.eu/stats/eurofxref'),
  BREACHED_PASSWORDS_URL: z.string().default('https://api.pwnedpasswords.com/range'),
})

export interface Config {
  port: number
  /** Absent: loopback while demo data exist, else every address. */
  host: string | undefined
  data_dir: string
  database_url: string | undefined
  base_domain: string
  /** With scheme, without trailing slash; `{company}` is replaced by the company's code. */
  public_url: string | undefined
  trusted_proxies: string[]
  secret_key: string | undefined
  /** Encrypts social security numbers. */
  personal_key: string | undefined
  /** Encrypts the keys in backups. */
  backup_passphrase: string | undefined
  demo: boolean
  dev: boolean
  log_level: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  s3: { endpoint: string; bucket: string; region: string; access_key_id: string; secret_access_key: string } | undefined
  /** How many calls one API key may make a minute, at each server. */
  api_key_calls_per_minute: number
  /** Private networks in which webhooks may be received. */
  allowed_networks: string[]
  /** Who sends it may read `/metrics`; without it the address does not exist. */
  metrics_token: string | undefined
  /** With less free space where the data folder lies, the server is not ready. */
  min_free_disk_mb: number
  /** Processes that answer calls, beside the one for jobs. */
  workers: number
  printnode_url: string
  /** In place of the addresses of all gateways of text messages. */
  sms_url: string | undefined
  /** Where the reference rates of the European Central Bank are fetched; undefined switches that off. */
  ecb_url: string | undefined
  /** Where new passwords are looked up among breached ones; undefined switches that off. */
  breached_passwords_url: string | undefined
  version: string
  build: string
}

/** Throws one sentence that names every setting that is wrong. */
export function readConfig(given: Record<string, string | undefined>): Config {
  // Compose files and units pass on a setting that is not made as an empty one.
  const env = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const read = Environment.safeParse(env)
  if (!read.success) throw new Error(`Settings: ${read.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`)
  const e = read.data
  const s3 = e.S3_BUCKET
    ? {
        endpoint: e.S3_ENDPOINT ?? '',
        bucket: e.S3_BUCKET,
        region: e.S3_REGION,
        access_key_id: e.S3_ACCESS_KEY_ID ?? '',
        secret_access_key: e.S3_SECRET_ACCESS_KEY ?? '',
      }
    : undefined
  if (s3 && !(s3.endpoint && s3.access_key_id && s3.secret_access_key))
    throw new Error('Settings: S3_BUCKET needs S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY beside it')
  return {
    port: e.PORT,
    host: e.HOST,
    data_dir: dataFolder(env),
    database_url: e.DATABASE_URL,
    base_domain: e.BASE_DOMAIN.toLowerCase(),
    public_url: e.PUBLIC_URL?.replace(/\/+$/, ''),
    trusted_proxies: listOf(e.TRUSTED_PROXIES),
    secret_key: e.SECRET_KEY,
    personal_key: e.PERSONAL_KEY,
    backup_passphrase: e.BACKUP_PASSPHRASE,
    demo: e.DEMO === '1',
    dev: e.PAKHUS_DEV === '1',
    log_level: e.LOG_LEVEL,
    s3,
    api_key_calls_per_minute: e.API_KEY_CALLS_PER_MINUTE,
    allowed_networks: listOf(e.ALLOWED_NETWORKS),
    metrics_token: e.METRICS_TOKEN,
    min_free_disk_mb: e.MIN_FREE_DISK_MB,
    workers: e.WORKERS ?? Math.max(1, availableParallelism() - 1),
    printnode_url: e.PRINTNODE_URL,
    sms_url: e.SMS_URL?.replace(/\/+$/, ''),
    ecb_url: addressOrOff(e.ECB_URL),
    breached_passwords_url: addressOrOff(e.BREACHED_PASSWORDS_URL),
    ...versions(),
  }
}

/** Empty settings count as not made, so a word switches off what is on by default. */
const addressOrOff = (text: string): string | undefined => (text === 'off' ? undefined : text.replace(/\/+$/, ''))

/** The package's version, and the build: what the browser compares to know that it is old. */
function versions(): { version: string; build: string } {
  const root = new URL('../../', import.meta.url)
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')))
  try {
    const { build } = z.object({ build: z.string() }).parse(JSON.parse(readFileSync(new URL('dist/web/build.json', root), 'utf8')))
    return { version, build }
  } catch {
    return { version, build: 'source' }
  }
}
