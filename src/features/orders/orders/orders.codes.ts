/** Codes and limits that screens and schemas of orders share. */

export const sorts = ['newest', 'oldest', 'ship_by', 'order_no'] as const

export const timelineKinds = ['order', 'packing', 'label', 'parcel', 'print', 'comment', 'stop', 'other'] as const
