/** Tasks of the queue and their payloads. A queued task can outlive its server version: only add optional fields to a payload. */
import type { WorkClass } from './work-classes.ts'

export interface TaskPayloads {
  /** Reads the methods of the company's account at this courier. */
  'couriers.methods': { agent_code: string }
  /** Reads the courier's parcel shops of a country with the company's account. */
  'couriers.shops': { agent_code: string; country: string }
  /** Erases what is stored of a closed company, `company_id`, but for what the law keeps. */
  'company.erase': { job_id: number; company_id: number }
  'company.export': { job_id: number; export_id: number; company_id: number }
  'crates.suggest': { order_ids: readonly number[] }
  'customers.erase': { job_id: number; erasure_id: number }
  'customers.attach': { job_id: number }
  /** `first`: no one has asked the courier yet. */
  'labels.book': { shipment_id: number; first?: boolean }
  /** The parcels of the company for which a courier is to be asked. */
  'labels.track': object
  'labels.void': { shipment_id: number }
  'maps.measure': { result_id: number; job_id: number }
  'orders.bulk': { job_id: number; bulk_id: number }
  'orders.export': { job_id: number }
  /** Gives all open orders their deadline again. */
  'orders.deadlines': { all?: true }
  'orders.import': { import_id: number; job_id: number }
  'orders.judge': { sku_keys: string[] }
  'packing.papers': { session_id: number; a4_printer_id: number }
  /** `companies`: those on whose orders the staff of the main company works; none for another company. */
  'pay.list': { job_id: number; from: string; to: string; companies: readonly number[] }
  'pick_lists.improve': { job_id: number; pick_list_id: number }
  'print.follow': { print_job_id: number; times: number }
  'print.send': { print_job_id: number }
  'rules.preview': {
    job_id: number
    kind: 'shipping_method' | 'crate' | 'approval' | 'additional_product' | 'alert' | 'tag'
    rule: object
    days: number
    company_ids?: readonly number[] | null
  }
  'returns.dry_run': { job_id: number; version: number }
  'returns.exchange': { return_id: number; company_id: number }
  /** Reads the orders that were placed in a shop between two instants. */
  'shops.backfill': { job_id: number; connection_id: number; from: string; to: string }
  'shops.sweep': { connection_id: number }
  'users.forgotten_password': { login: string }
  /** Asks the recipient about what is missing. */
  'messages.ask': { order_id: number; company_id: number }
  'products.import': { job_id: number; file_id: number }
  /** Units of this company. */
  'serials.import': { job_id: number; file_id: number; company_id: number }
  'video.finalize': { video_id: number }
  'video.cut': { share_id: number }
}

export type TaskName = keyof TaskPayloads

/** `bulk` tasks may take minutes: they never take the places of the others. */
export const taskClasses: Readonly<Record<TaskName, WorkClass>> = {
  'couriers.methods': 'bulk',
  'couriers.shops': 'bulk',
  'company.erase': 'bulk',
  'company.export': 'bulk',
  'crates.suggest': 'bulk',
  'customers.erase': 'bulk',
  'customers.attach': 'bulk',
  'labels.book': 'scan',
  'labels.track': 'bulk',
  'labels.void': 'change',
  'maps.measure': 'bulk',
  'messages.ask': 'change',
  'orders.bulk': 'bulk',
  'orders.export': 'bulk',
  'orders.deadlines': 'bulk',
  'orders.import': 'bulk',
  'orders.judge': 'change',
  'packing.papers': 'scan',
  'pay.list': 'bulk',
  'pick_lists.improve': 'bulk',
  'print.follow': 'scan',
  'print.send': 'scan',
  'rules.preview': 'bulk',
  'returns.dry_run': 'bulk',
  'returns.exchange': 'change',
  'shops.backfill': 'bulk',
  'shops.sweep': 'bulk',
  'users.forgotten_password': 'change',
  'products.import': 'bulk',
  'serials.import': 'bulk',
  'video.finalize': 'bulk',
  'video.cut': 'bulk',
}
