/** What a scan at the station may mean beside the open order, and the scan that is taken back. */
import { sql } from 'kysely'
import { compiledQuery } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'

/** The order of the same wagon that still wants this product: the piece lay in the wrong tote, or the wrong tote was taken. */
export const wantedOnSameWagon = (
  db: Db,
  order_id: number,
  product_id: number,
): Promise<{ order_no: string; slot_no: number } | undefined> =>
  db
    .selectFrom('pick_slots as here')
    .innerJoin('pick_slots as there', on =>
      on.onRef('there.pick_list_id', '=', 'here.pick_list_id').onRef('there.wagon_no', '=', 'here.wagon_no').on('there.live', '=', true),
    )
    .innerJoin('order_lines as l', on =>
      on.onRef('l.order_id', '=', 'there.order_id').on(eb => eb('l.packed_qty', '<', eb('l.qty', '-', eb.ref('l.cancelled_qty')))),
    )
    .innerJoin('orders as o', 'o.id', 'there.order_id')
    .select(['o.order_no', 'there.slot_no'])
    .where('here.order_id', '=', order_id)
    .where('here.live', '=', true)
    .whereRef('there.order_id', '<>', 'here.order_id')
    .where('l.product_id', '=', product_id)
    .orderBy('there.slot_no')
    .limit(1)
    .executeTakeFirst()

/** A product of another shop of the warehouse with this code; its own shop does not know the code. */
export const productOfOtherShop = (db: Db, company_id: number, codes: readonly string[]) =>
  db
    .selectFrom('products as p')
    .innerJoin('companies as c', 'c.id', 'p.company_id')
    .select(['p.id as product_id', 'p.sku', 'p.name', 'c.name as company_name'])
    .select(eb => eb('p.image_file_id', 'is not', null).as('has_picture'))
    .where('p.company_id', '<>', company_id)
    .where(eb =>
      eb(
        'p.id',
        'in',
        eb
          .selectFrom('product_barcodes as b')
          .select('b.product_id')
          .where('b.company_id', '<>', company_id)
          .where('b.barcode', 'in', codes),
      ),
    )
    .orderBy('p.id')
    .limit(1)
    .executeTakeFirst()
    .then(found => found && { ...found, has_picture: found.has_picture === true })

/** The bundle of the order that one of these codes means, with its parts. It is not packed itself. */
export const bundleOfCode = (
  db: Db,
  order_id: number,
  codes: readonly string[],
  product_ids: readonly number[],
): Promise<{ name: string; parts: number[] } | undefined> =>
  db
    .selectFrom('order_lines as b')
    .innerJoin('order_lines as l', on =>
      on
        .onRef('l.order_id', '=', 'b.order_id')
        // A part that is a bundle of the company is packed by its own parts.
        .on(
          sql<boolean>`(l.bundle_of = b.external_id or exists (select from order_lines m where m.operator_id = b.operator_id and m.order_id = b.order_id
            and m.bundle_of = b.external_id and m.external_id = l.bundle_of and m.combined_order_id is not distinct from b.combined_order_id))`,
        )
        .on(sql<boolean>`b.combined_order_id is not distinct from l.combined_order_id`),
    )
    .select(['b.name', sql<number[]>`array_agg(l.id order by l.line_no)`.as('parts')])
    .where('b.order_id', '=', order_id)
    .where('b.requires_shipping', '=', false)
    .where('l.requires_shipping', '=', true)
    .whereRef('l.qty', '>', 'l.cancelled_qty')
    .where(eb =>
      eb.or([
        eb('b.product_id', '=', sql<number>`any(${product_ids})`),
        eb('b.barcode', '=', sql<string>`any(${codes})`),
        eb(sql<string>`upper(b.sku)`, '=', sql<string>`any(${codes.map(code => code.toUpperCase())})`),
      ]),
    )
    .groupBy(['b.id', 'b.name'])
    .orderBy('b.id')
    .limit(1)
    .executeTakeFirst()

/** Whether a product of the company has this code as its barcode or SKU. */
export async function isBarcodeOf(db: Db, company_id: number, codes: readonly string[]): Promise<boolean> {
  const { known } = await db
    .selectNoFrom(eb =>
      eb
        .or([
          eb.exists(
            eb
              .selectFrom('product_barcodes as b')
              .select('b.product_id')
              .where('b.company_id', '=', company_id)
              .where('b.barcode', 'in', [...codes, '']),
          ),
          eb.exists(
            eb
              .selectFrom('products as p')
              .select('p.id')
              .where('p.company_id', '=', company_id)
              .where(
                'p.sku_key',
                'in',
                [...codes, ''].map(code => code.toUpperCase()),
              ),
          ),
        ])
        .as('known'),
    )
    .executeTakeFirstOrThrow()
  return known === true
}

/** The newest scan of the open session that changed something, held until this change ends: a second hand at the same moment takes back the one before it. */
/** The last scan of a session, as it was answered. */
export const lastScan = (db: Db, session_id: number) =>
  db
    .selectFrom('packing_scans')
    .select(['raw', 'result', 'user_id'])
    .where('session_id', '=', session_id)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const lastCounted = async (db: Db, order_id: number) => (await newestCounted(db, { order_id }))[0]

const newestCounted = compiledQuery((db, { order_id }: { order_id: number }) =>
  db
    .selectFrom('packing_scans')
    .select(['id', 'at', 'order_line_id', 'quantity', 'serial', 'parcel_no', 'result', 'answer'])
    .where('session_id', '=', eb =>
      eb.selectFrom('packing_sessions').select('packing_sessions.id').where('order_id', '=', order_id).where('ended_at', 'is', null),
    )
    // A serial number that is recorded before the parcel is closed, a box, an additional product and the code of an outer pack count no piece.
    .where(eb =>
      eb.or([
        eb('quantity', '>', sql.lit(0)),
        eb.and([
          eb('quantity', '=', sql.lit(0)),
          eb.or([
            eb('serial', 'is not', null),
            eb('result', 'in', [sql.lit('crate_set'), sql.lit('addition'), sql.lit('serial_of_pack')]),
            sql<boolean>`answer -> 'units' is not null`,
          ]),
        ]),
      ]),
    )
    .where('undone_by', 'is', null)
    .orderBy('at', 'desc')
    .limit(sql.lit(1))
    .forUpdate(),
)

/** The code of an outer pack and the pieces that are counted of it, the newest first, held until this change ends. */
export const scansOfPack = (db: Db, session_id: number, pack: string) =>
  db
    .selectFrom('packing_scans')
    .select(['id', 'at', 'quantity', 'serial', 'parcel_no'])
    .where('session_id', '=', session_id)
    .where('undone_by', 'is', null)
    .where(eb => eb.or([eb('id', '=', pack), eb(sql<string>`answer -> 'of_pack' ->> 'scan_id'`, '=', pack)]))
    .orderBy('at', 'desc')
    .forUpdate()
    .execute()

/** The box that was scanned for the parcel before, as its answer has it; undefined where it was the first. */
export const crateScannedBefore = (
  db: Db,
  session_id: number,
  parcel_no: number,
  scan_id: string,
): Promise<{ answer: unknown } | undefined> =>
  db
    .selectFrom('packing_scans')
    .select('answer')
    .where('session_id', '=', session_id)
    .where('parcel_no', '=', parcel_no)
    .where('result', '=', 'crate_set')
    .where('undone_by', 'is', null)
    .where('id', '<>', scan_id)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const markUndone = compiledQuery((db, { id, at, undone_by }: { id: string; at: string; undone_by: string }) =>
  db.updateTable('packing_scans').set({ undone_by }).where('id', '=', id).where('at', '=', at),
)
