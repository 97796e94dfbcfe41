/** Words of a booking that forms and couriers share. */

/** Who takes part beside sender and recipient. */
export const extraRoles = ['return_to', 'importer', 'payer'] as const
/** Registration numbers that customs papers carry. */
export const numberKinds = ['vat', 'eori', 'ioss', 'voec'] as const
export const customsReasons = ['sale', 'gift', 'sample', 'documents', 'returned', 'other'] as const
