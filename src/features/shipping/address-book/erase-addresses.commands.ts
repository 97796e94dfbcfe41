/** Erasing a person from the address book: an address that names the person is deleted. */
import { sql } from 'kysely'
import { eraseSettingHistory, settingHistoryOf } from '#features/company/companies/erase-setting-history.commands.ts'
import { type ErasurePart, rowsOf, wordPatterns } from '#platform/database/erasure.ts'
import { addressList } from './address-book-history.server.ts'

/** The company of an address is left aside: others who work there keep theirs. Telephone numbers are compared without blanks and signs. */
const ofPerson = (words: readonly string[]) => sql`operator_id = current_operator_id() and company_id = current_company_id()
  and (concat_ws(' ', title, name, attention, email, phone, instruction) ilike any (${wordPatterns(words)}::text[])
    or regexp_replace(phone, '[^0-9+]', '', 'g') ilike any (${wordPatterns(words)}::text[]))`

export const eraseAddresses: ErasurePart = {
  tables: ['predefined_addresses', 'setting_changes'],
  async erase(db, { words }) {
    const { numAffectedRows } = await sql`delete from predefined_addresses where ${ofPerson(words)}`.execute(db)
    return {
      predefined_addresses: Number(numAffectedRows ?? 0),
      setting_changes: await eraseSettingHistory(db, addressList.name, 'company', words),
    }
  },

  async read(db, { words }) {
    return {
      predefined_addresses: await rowsOf(
        db,
        sql`select kind, title, name, company, attention, address1, address2, postcode, city, country, phone, email, instruction, created_at
          from predefined_addresses where ${ofPerson(words)} order by id`,
      ),
      setting_changes: await settingHistoryOf(db, addressList.name, 'company', words),
    }
  },
}
