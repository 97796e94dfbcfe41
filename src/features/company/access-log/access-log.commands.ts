/** Who looked at a person's data: written with the answer, read by the person's own copy and by those who manage customers. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'
import type { Context } from '#platform/http/feature-module.ts'

interface Access {
  subject_type: 'customer' | 'order' | 'user' | 'company'
  /** Null for a search. */
  subject_id: number | null
  /** The call, as the specification writes it. */
  what: string
  criteria?: string
  /** The answer waits for the disk: without this row it must not be given. */
  durable?: true
}

/**
 * Notes that the caller saw this. Unless it is `durable`, it does not wait for the disk: a row of the last moments before a power cut may be missing, and an answer
 * is as fast as without it.
 */
export async function logAccess({ db, principal }: Pick<Context, 'db' | 'principal'>, access: Access): Promise<void> {
  if (!access.durable) await sql`set local synchronous_commit = off`.execute(db)
  await db
    .insertInto('access_log')
    .values({
      user_id: principal.id || null,
      user_name: principal.name.slice(0, 200),
      subject_type: access.subject_type,
      subject_id: access.subject_id,
      what: access.what,
      criteria: access.criteria?.slice(0, 200) || null,
    })
    .execute()
}

/** Days after which nothing says any more what was searched for, and months after which a row ends. */
const criteriaDays = 180
const keptMonths = 24
/** A reason why a social security number was read stays as long as its row. */
export const cprReveal = 'cpr.reveal'

/** Ends what is older than its time, of all tenants. */
export async function endOldAccesses(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await sql`update access_log set criteria = null
    where criteria is not null and what <> ${cprReveal} and at < ${at}::timestamptz - make_interval(days => ${criteriaDays})`.execute(db)
  await sql`delete from access_log where at < ${at}::timestamptz - make_interval(months => ${keptMonths})`.execute(db)
}

/** The row that somebody looked stays; the words that were searched for name the person. */
export const eraseAccessCriteria: ErasurePart = {
  tables: ['access_log'],
  async erase(db, { words }) {
    if (words.length === 0) return { access_log: 0 }
    const { numAffectedRows } = await sql`update access_log set criteria = null
      where operator_id = current_operator_id() and company_id = any (current_company_ids()) and criteria ilike any (${wordPatterns(words)}::text[])`.execute(
      db,
    )
    return { access_log: Number(numAffectedRows ?? 0) }
  },
  async read(db, { words, customer_ids }) {
    return {
      access_log: await rowsOf(
        db,
        sql`select at, what, criteria from access_log where operator_id = current_operator_id() and company_id = any (current_company_ids())
          and (criteria ilike any (${wordPatterns(words)}::text[])
            or subject_type = 'customer' and subject_id = any (${[...customer_ids]}::bigint[])) order by at, id`,
      ),
    }
  },
}
