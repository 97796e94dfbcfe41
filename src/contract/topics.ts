/** Topics of change notifications: the kind of object that changed. */

export const changeTopics = [
  'additional_product',
  'approval',
  'approval_rule',
  'collect_list',
  'company',
  'courier_settings',
  'crate',
  'exception',
  'import',
  'job',
  'map',
  'order',
  'packing',
  'paperless',
  'people',
  'pick_list',
  'pick_task',
  /** Its id combines list and wagon in one number. */
  'pick_wagon',
  /** A slot of a wagon; its id is the order's. */
  'picking',
  'price',
  'print',
  'printer',
  'product',
  'serial_check',
  'shipment',
  'shipping_method',
  'user',
  'video',
  'wagon_type',
] as const
export type ChangeTopic = (typeof changeTopics)[number]
