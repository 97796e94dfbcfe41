/** Erasure: what each owner of personal data registers, so that one job erases a person everywhere. */

import type { RawBuilder } from 'kysely'
import type { StoredContent } from '#contract/endpoint.ts'
import { containing } from '#platform/database/like-pattern.ts'
import type { Db } from './database.ts'

/** Whose data is erased by one transaction. */
export interface ErasedSubjects {
  order_ids: readonly number[]
  /** Set in the last transaction only, when no order of them is left. */
  customer_ids: readonly number[]
  /**
   * E-mail addresses, phone numbers and names of the person, in lower case: rows without a key of an order are found by them.
   * None is shorter than five characters, so that a common short name erases nothing of others.
   */
  words: readonly string[]
}

/** What erasing inside stored files needs: nothing is read from or written to the file store within a transaction. */
export interface ErasureTools {
  operator_id: number
  now: Date
  files: {
    open(operator_id: number, content: StoredContent): Promise<AsyncIterable<Uint8Array> & Disposable>
    put(operator_id: number, content: AsyncIterable<Uint8Array>): Promise<StoredContent>
  }
  transaction<T>(step: (db: Db) => Promise<T>): Promise<T>
}

/** Rows by table. */
type PersonalRows = Readonly<Record<string, readonly unknown[]>>

/** One owner's part: erases its rows and answers how many rows of which table it changed. Doing it twice changes nothing. */
export interface ErasurePart {
  tables: readonly string[]
  /** The law keeps the rows, and they name no one: nothing is erased, and the person's own copy says until when. */
  kept?: true
  erase(db: Db, subjects: ErasedSubjects, now: Date): Promise<Readonly<Record<string, number>>>
  /** What `erase` would erase, with what makes it readable (order, time), for the person's own copy. Without names of staff. */
  read(db: Db, subjects: ErasedSubjects): Promise<PersonalRows>
  /** Files that hold other people too are written again without the person; runs before `erase`, while the orders still say whose they are. */
  rewriteFiles?(tools: ErasureTools, subjects: ErasedSubjects): Promise<void>
}

export const rowsOf = async (db: Db, statement: RawBuilder<unknown>): Promise<readonly unknown[]> => (await statement.execute(db)).rows

/** `%word%` for `ilike any`, with the pattern characters of the word escaped. */
export const wordPatterns = (words: readonly string[]): string[] => words.map(containing)
