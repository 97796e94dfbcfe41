/** Whose rows a transaction may see and write. */
export interface TenantScope {
  operator_id: number
  company_id: number
  /** All the companies in reach, the own one included. */
  companies: readonly number[]
}
