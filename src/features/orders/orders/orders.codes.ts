/** Codes and limits that screens and schemas of orders share. */

/** A minus turns the order around. */
export const sorts = ['newest', 'oldest', 'ship_by', '-ship_by', 'order_no', '-order_no'] as const
export type Sort = (typeof sorts)[number]

export const timelineKinds = ['order', 'packing', 'label', 'parcel', 'print', 'comment', 'stop', 'other'] as const

/** Columns of an export, in their order. */
export const exportColumns = [
  'order_no',
  'company',
  'shop',
  'phase',
  'ordered_at',
  'ship_by',
  'packed_at',
  'customer_name',
  'customer_email',
  'customer_phone',
  'address1',
  'address2',
  'postcode',
  'city',
  'country',
  'items',
  'weight_g',
  'currency',
  'total_incl_vat',
  'agent_code',
  'shipping_method',
  'tracking_no',
  'tags',
] as const
export type ExportColumn = (typeof exportColumns)[number]
