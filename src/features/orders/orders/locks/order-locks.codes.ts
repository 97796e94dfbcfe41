/** Codes and limits that screens and schemas of order locks share. */

export const holdReasons = ['address', 'customer', 'payment', 'fraud', 'stock', 'cancel_requested', 'other'] as const
