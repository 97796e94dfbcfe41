/** Which page shows each setting of a company, under which label, and who may change it. */
import { access, type Permission } from '#contract/access.ts'
import { settingsPages } from '#contract/settings-access.ts'

interface SettingsOfPage {
  path: string
  /** Who may read and change them, as the calls of the page say. */
  read: readonly Permission[]
  change: readonly Permission[]
  /** Only the main company's settings have an effect. */
  mainOnly?: true
  /** Setting → the label of its field. */
  fields: Readonly<Record<string, string>>
}

const deadlineAlarms = ['admin', 'dashboard_admin', 'settings_admin'] as const
const crateRules = { read: access.crateRulesRead, change: access.crateRules } as const
const addressBook = { read: settingsPages['address-book'], change: settingsPages['address-book'] } as const
const printerSettings = ['admin', 'settings_admin', 'scan_admin'] as const
const messageTemplates = [...access.settings, 'parcels_admin'] as const
const tagEditors = ['admin', 'parcels_admin', 'settings_admin'] as const
const settings = { read: access.settings, change: access.settings } as const

export const settingsByPage: readonly SettingsOfPage[] = [
  {
    path: '/settings/company-config',
    ...settings,
    fields: {
      name: 'Name',
      logo_file_id: 'Logo',
      color: 'Colour',
      'sender.name': 'Sender',
      'sender.address1': 'Address',
      'sender.address2': 'Address, second line',
      'sender.postcode': 'Postcode',
      'sender.city': 'City',
      'sender.country': 'Country',
      'sender.phone': 'Phone of the sender',
      'sender.email': 'E-mail of the sender',
      vat_no: 'VAT number',
      homepage: 'Home page',
      homepages: 'Home page in this language',
      support_email: 'E-mail',
      support_phone: 'Phone',
      cms_link: 'Order link in the shop',
      invoice_footers: 'Last lines of invoices',
      locale: 'Language',
      currency: 'Currency',
      time_zone: 'Time zone',
      packing_ip_pattern: 'Packing address pattern',
      second_factor: 'Second factor',
      second_factor_days: 'Days of grace',
      gs1_prefix: 'GS1 company prefix',
      cut_off: 'Cut-off',
      working_days: 'Working days',
      release_delay_s: 'Wait before release',
      close_after_days: 'Close orders',
      on_short: 'When items are missing',
      first_names_for_shops: 'Shops see the first names of the staff in timelines',
    },
  },
  {
    path: '/settings/country',
    ...settings,
    fields: {
      home_country: 'Home country',
      ship_countries: 'Countries shipped to',
      postcode_check: 'Postcodes that look wrong',
      languages: 'Languages on offer',
      phone_countries: 'First in phone fields',
    },
  },
  {
    path: '/settings/packing-config',
    ...settings,
    fields: {
      pack_without_pick_list: 'Pack orders without a pick list',
      open_by_product: 'A product scan opens the oldest order of one item',
      bypass_needs_pin: 'Counting a product by hand needs the packing PIN',
      approve_inside_only: 'Leads approve only in the warehouse network',
      label_when: 'Labels of several parcels',
      print_slip: 'Print a packing slip with every parcel',
      partial_notice: 'Partial shipment: recipient',
      parcel_photos: 'Photo of the open box',
      weigh_parcels: 'Weigh parcels',
      typed_weight: 'A weight may be typed',
      weight_tolerance_g: 'May differ by',
      weight_tolerance_percent: 'Or by',
      packaging_weight_g: 'Packaging (g)',
      default_weight_g: 'Product without weight (g)',
    },
  },
  {
    path: '/settings/packing-config',
    read: ['admin', 'settings_admin', 'settings', 'parcels_admin', 'scan_admin'],
    change: access.settings,
    fields: {
      'exceptions.label_error': 'Label error',
      'exceptions.wrong_item': 'Wrong item picked',
      'exceptions.short': 'Item missing',
      'exceptions.damaged': 'Item damaged',
      'exceptions.address': 'Address wrong',
      'exceptions.customs': 'Customs data',
      'exceptions.weight': 'Weight differs',
      'exceptions.no_crate': 'No box fits',
      'exceptions.other': 'Another reason',
      'exceptions.owners': 'Owner',
      'exceptions.owner_groups': 'Owner group',
      'exceptions.from': 'From',
      'exceptions.to': 'Until',
    },
  },
  {
    path: '/settings/printer',
    read: printerSettings,
    change: printerSettings,
    fields: {
      'printers.entry': 'Label printer',
      'printers.fallback': 'Backup printer',
      'printers.language': 'Language of the printer',
      'station_printers.label': 'Printer of labels',
      'station_printers.return_label': 'Printer of return labels',
      'station_printers.slip': 'Printer of packing slips',
      'station_printers.customs': 'Printer of customs papers',
      'station_printers.invoice': 'Printer of invoices',
      'station_printers.sheet': 'Printer of code sheets',
      'station_printers.pick': 'Printer of pick lists',
      'station_printers.collect': 'Printer of collect lists',
      'station_printers.test': 'Printer of self-tests',
    },
  },
  {
    path: '/settings/shipping-config',
    ...settings,
    fields: { handling_image_file_id: 'Handling picture', 'parcel_shop_replacement.mode': 'Closed or full parcel shop' },
  },
  {
    path: '/settings/email',
    ...settings,
    fields: {
      'mail_account.host': 'Server',
      'mail_account.port': 'Port',
      'mail_account.security': 'Encryption',
      'mail_account.user_name': 'User name',
      'mail_account.from_name': 'Name of the sender',
      'mail_account.from_address': 'E-mail of the sender',
      'mail_account.reply_to': 'Answers go to',
      'sms_account.provider': 'Gateway',
      'sms_account.api': 'Interface',
      'sms_account.region': 'Region',
      'sms_account.user_name': 'Account SID',
      'sms_account.sender': 'Sender',
      'sms_account.price_micro': 'Price of one part',
      'sms_account.currency': 'Currency',
      'sms_account.warn_below_micro': 'Warn below a balance of',
      'message_settings.quiet_hours': 'Quiet hours',
      'message_settings.keep_days': 'Keep texts for (days)',
    },
  },
  {
    path: '/settings/email',
    read: messageTemplates,
    change: messageTemplates,
    fields: {
      'message_templates.entry': 'Message template',
      'message_templates.name': 'Name',
      'message_templates.trigger': 'Occasion',
      'message_templates.channel': 'Channel',
      'message_templates.locale': 'Language',
      'message_templates.subject': 'Subject',
      'message_templates.body': 'Text',
      'message_templates.blocks': 'Blocks',
      'message_templates.choices': 'Answers',
      'message_templates.urgent': 'Urgent',
      'message_templates.delay_minutes': 'Wait before sending',
      'message_templates.active': 'In use',
    },
  },
  {
    path: '/settings/email-alert',
    ...settings,
    fields: {
      'printer_alerts.enabled': 'Tell people when a printer is offline',
      'printer_alerts.recipients': 'Recipients',
      'printer_alerts.after_minutes': 'Minutes offline',
    },
  },
  {
    path: '/settings/order-alerts',
    ...settings,
    fields: {
      'order_alerts.digest_minutes': 'Minutes to gather alerts',
      'order_alerts.from_name': 'Name of the sender',
      'order_alerts.hold_reason': 'Reason of holds',
    },
  },
  {
    path: '/settings/serial-number-config',
    read: settingsPages['serial-number-config'],
    change: settingsPages['serial-number-config'],
    fields: {
      'serials.enabled': 'Record serial numbers',
      'serials.default_scope': 'Same number',
      'serials.letters': 'Letters',
      'serials.min_length': 'Shortest serial number',
      'serials.ask_at': 'The station asks',
      'serials.allow_typed': 'Serial numbers may be typed',
      'serials.mode': 'Accepted serial numbers',
    },
  },
  {
    path: '/settings/dvr-config',
    read: access.settingsRead,
    change: access.settings,
    mainOnly: true,
    fields: {
      'video.enabled': 'Film packing',
      'video.retention_days': 'Days',
      'video.quality': 'Quality of station cameras',
      'video.storage_gb': 'Space for all videos',
      'video.notices': 'Notice to staff',
    },
  },
  {
    path: '/settings/rma-config',
    read: settingsPages['rma-config'],
    change: settingsPages['rma-config'],
    fields: {
      'returns.review': 'Approval',
      'returns.window_days': 'Customers may return for',
      'returns.withdrawal_days': 'Right of withdrawal',
      'returns.fee': 'Fee of a return',
      'returns.exchange_at': 'Order of an exchange',
      'returns.propose_at': 'Refund proposed',
      'returns.accessories': 'Accessories by product',
      'returns.unused_days': 'Ends unless sent within',
      'returns.missing_days': 'Items count as missing after',
      'return_offer.outcomes': 'Outcomes',
      'return_offer.methods': 'Ways to send',
      'return_offer.label': 'Courier label',
      'return_offer.qr': 'QR code',
      'return_texts.enabled': 'Return portal',
      'return_texts.greeting': 'Greeting',
      'return_texts.return_address': 'Return address',
      'return_texts.confirmation': 'Confirmation',
      'return_texts.legal': 'Terms and conditions',
      'return_texts.support': 'Help',
    },
  },
  {
    path: '/settings/rma-config',
    read: settingsPages['rma-config'],
    change: settingsPages['rma-config'],
    fields: {
      'return_reasons.entry': 'Reason for returns',
      'return_reasons.words': 'Words of the reason',
      'return_reasons.fault': 'At fault',
      'return_reasons.evidence_text': 'Description',
      'return_reasons.evidence_photo': 'Photo',
      'return_reasons.active': 'In use',
      'return_reason_order.entries': 'Order of the reasons',
    },
  },
  {
    path: '/settings/dashboard',
    read: deadlineAlarms,
    change: deadlineAlarms,
    mainOnly: true,
    fields: {
      'deadline_alarms.recipients': 'Recipients of alarms',
      'deadline_alarms.quiet_hours': 'Quiet hours',
      'deadline_alarms.sound': 'Sound on boards',
    },
  },
  {
    path: '/settings/webhooks',
    ...settings,
    fields: {
      'webhooks.name': 'Name of the webhook',
      'webhooks.url': 'Address of the webhook',
      'webhooks.events': 'Events',
      'webhooks.shop': 'Shop',
      'webhooks.header_name': 'Own header',
      'webhooks.active': 'Switched on',
    },
  },
  {
    path: '/settings/tags',
    read: tagEditors,
    change: tagEditors,
    fields: { 'tags.entry': 'Tag', 'tags.name': 'Name', 'tags.color': 'Colour' },
  },
  {
    path: '/settings/tag-rules',
    ...settings,
    fields: { 'tag_rules.entry': 'Tag rule', 'tag_rules.tag': 'Tag', 'tag_rules.conditions': 'Condition', 'tag_rules.active': 'In use' },
  },
  {
    path: '/settings/crates',
    read: access.settingsRead,
    change: access.settings,
    mainOnly: true,
    fields: {
      'boxes.entry': 'Box',
      'boxes.name': 'Name',
      'boxes.code': 'Code',
      'boxes.barcode': 'Barcode',
      'boxes.inner_mm': 'Inside',
      'boxes.outer_mm': 'Outside',
      'boxes.tare_g': 'Own weight',
      'boxes.max_g': 'Heaviest when packed',
      'boxes.cost': 'Cost of one',
      'boxes.currency': 'Currency',
      'boxes.low_stock': 'Warn at',
      'boxes.filler_percent': 'Filler',
      'boxes.agent_codes': 'Couriers',
      'boxes.companies': 'Companies',
      'boxes.letter_box': 'Fits through a letter box',
      'boxes.max_side_sum_mm': 'Longest sum of the sides',
      'boxes.position': 'Rank',
      'boxes.active': 'In use',
    },
  },
  {
    path: '/settings/crates',
    ...crateRules,
    fields: {
      'box_rules.entry': 'Box rule',
      'box_rules.pieces': 'Items per box',
      'box_rules.percent': 'Filler',
      'box_rules.conditions': 'Condition',
    },
  },
  {
    path: '/settings/address-book',
    ...addressBook,
    fields: {
      'addresses.entry': 'Address',
      'addresses.kind': 'Used as',
      'addresses.title': 'Title',
      'addresses.name': 'Name',
      'addresses.company': 'Company',
      'addresses.attention': 'Attention',
      'addresses.address1': 'Street and number',
      'addresses.address2': 'Address, second line',
      'addresses.postcode': 'Postcode',
      'addresses.city': 'City',
      'addresses.country': 'Country',
      'addresses.phone': 'Phone',
      'addresses.email': 'E-mail',
      'addresses.instruction': 'Note to the driver',
      'addresses.is_default': 'New shipments start with it',
    },
  },
  {
    path: '/settings/additional-products',
    ...settings,
    mainOnly: true,
    fields: {
      'additional_products.entry': 'Additional product',
      'additional_products.name': 'Name',
      'additional_products.barcode': 'Barcode',
      'additional_products.texts': 'What the packer reads',
      'additional_products.conditions': 'Condition',
      'additional_products.per': 'How often',
      'additional_products.qty': 'Quantity',
      'additional_products.handling': 'At the station',
      'additional_products.bin': 'Bin',
      'additional_products.on_pick_list': 'Take along while picking',
      'additional_products.weight_g': 'Weight of one',
      'additional_products.hs_code': 'HS code',
      'additional_products.value': 'Value of one',
      'additional_products.currency': 'Currency',
      'additional_products.valid_from': 'From',
      'additional_products.valid_to': 'Until',
      'additional_products.companies': 'Companies',
      'additional_products.position': 'Rank',
      'additional_products.active': 'In use',
    },
  },
  {
    path: '/settings/order-alerts',
    ...settings,
    fields: {
      'alerts.entry': 'Order alert',
      'alerts.email': 'Recipient',
      'alerts.companies': 'Companies',
      'alerts.enabled': 'In use',
      'alerts.mode': 'What happens',
      'alerts.threshold_mode': 'Meets orders',
      'alerts.match': 'Several thresholds',
      'alerts.currency': 'Currency',
      'alerts.thresholds': 'Thresholds',
      'alerts.conditions': 'Condition',
      'alerts.digest': 'Gather alerts into one mail',
      'alerts.note': 'Note',
    },
  },
  {
    path: '/settings/product-links',
    ...settings,
    fields: {
      'product_links.entry': 'Product link',
      'product_links.title': 'Name',
      'product_links.url': 'Address',
      'product_links.icon': 'Icon',
      'product_links.position': 'Rank',
      'product_links.companies': 'Companies',
      'product_links.active': 'Active',
    },
  },
  {
    path: '/settings/approval',
    read: [...access.settingsRead, 'scan_admin'],
    change: access.settings,
    fields: {
      'approval_rules.entry': 'Approval rule',
      'approval_rules.name': 'Name',
      'approval_rules.conditions': 'Condition',
      'approval_rules.subject': 'When the station asks',
      'approval_rules.methods': 'How it is approved',
      'approval_rules.approver_codes': 'Who may approve',
      'approval_rules.reason_required': 'Ask why',
      'approval_rules.position': 'Rank',
      'approval_rules.active': 'In use',
    },
  },
  {
    path: '/settings/shipping-config',
    ...settings,
    fields: {
      'method_rules.entry': 'Shipping rule',
      'method_rules.name': 'Name',
      'method_rules.conditions': 'Condition',
      'method_rules.agent_code': 'Courier',
      'method_rules.shipping_method': 'Shipping method',
      'method_rules.active': 'Active',
      'method_rule_order.entries': 'Order of the rules',
    },
  },
  {
    path: '/settings/shipping-config',
    read: access.settingsRead,
    change: access.settings,
    fields: {
      'prices.entry': 'Courier price',
      'prices.agent_code': 'Courier',
      'prices.shipping_method': 'Shipping method',
      'prices.zone': 'Zone',
      'prices.max_g': 'Up to',
      'prices.amount': 'Price without VAT',
      'prices.currency': 'Currency',
      'prices.per_kg_amount': 'For each kilogram',
      'prices.max_length_mm': 'Greatest length',
      'prices.max_side_sum_mm': 'Sum of the sides',
      'prices.volume_divisor': 'cm³ that count as 1 kg',
      'prices.valid_from': 'From',
      'prices.valid_to': 'Until',
      'price_zones.entry': 'Zone',
      'price_zones.name': 'Name',
      'price_zones.countries': 'Countries',
      'price_zones.postcodes': 'Postcodes',
      'surcharges.entry': 'Surcharge',
      'surcharges.name': 'Name',
      'surcharges.agent_code': 'Courier',
      'surcharges.shipping_method': 'Shipping method',
      'surcharges.zone': 'Zone',
      'surcharges.kind': 'Kind of surcharge',
      'surcharges.percent_milli': 'Percent of the price',
      'surcharges.amount': 'Amount without VAT',
      'surcharges.currency': 'Currency',
      'surcharges.over_g': 'Above this weight',
      'surcharges.over_length_mm': 'Above this length',
      'surcharges.valid_from': 'From',
      'surcharges.valid_to': 'Until',
    },
  },
  {
    path: '/settings/customs-config',
    ...settings,
    fields: {
      'exchange_rates.entry': 'Exchange rate',
      'exchange_rates.rate': 'Rate',
      'exchange_rates.valid_to': 'Until',
      'exchange_rates.note': 'Note',
    },
  },
  {
    path: '/settings/customs-config',
    read: access.settingsRead,
    change: access.settings,
    fields: {
      'customs_numbers.entry': 'Number',
      'customs_numbers.valid_from': 'From',
      'customs_numbers.valid_to': 'Until',
    },
  },
  {
    path: '/settings/serial-number-config',
    read: settingsPages['serial-number-config'],
    change: settingsPages['serial-number-config'],
    fields: {
      'serial_rules.entry': 'Serial number rule',
      'serial_rules.regex': 'Pattern',
      'serial_rules.scope': 'Same number',
      'serial_rules.extract': 'Read from',
    },
  },
  {
    path: '/settings/dashboard',
    read: deadlineAlarms,
    change: deadlineAlarms,
    mainOnly: true,
    fields: {
      'deadlines.entry': 'Deadline',
      'deadlines.name': 'Name',
      'deadlines.companies': 'Companies',
      'deadlines.agent_codes': 'Couriers',
      'deadlines.shipping_methods': 'Shipping methods',
      'deadlines.countries': 'Countries',
      'deadlines.weekdays': 'Pickup days',
      'deadlines.cut_off': 'Cut-off',
      'deadlines.pickup_time': 'Pickup',
      'deadlines.sla_days': 'Further pickup days',
      'deadlines.target': 'To be done by the pickup',
      'deadlines.holidays': 'Public holidays of',
      'deadlines.active': 'In use',
      'closed_days.entry': 'Day that differs',
      'closed_days.open': 'Couriers come on this day',
      'closed_days.cut_off': 'Cut-off',
      'closed_days.pickup_time': 'Pickup',
      'closed_days.note': 'Note',
    },
  },
  {
    path: '/lists/pick',
    read: access.picksAdmin,
    change: access.picksAdmin,
    mainOnly: true,
    fields: {
      'wagon_types.entry': 'Wagon',
      'wagon_types.name': 'Name',
      'wagon_types.shape': 'Slots of the wagon',
      'wagon_types.max_weight_g': 'The whole wagon may carry',
      'wagon_types.active': 'Used for new lists',
    },
  },
  {
    path: '/settings/campaign-config',
    ...settings,
    fields: {
      'campaigns.entry': 'Campaign',
      'campaigns.title': 'Title',
      'campaigns.state': 'State',
      'campaigns.from_at': 'From',
      'campaigns.to_at': 'Until',
      'campaigns.locales': 'Languages',
      'campaigns.contents': 'Text',
      'campaigns.picture_file_id': 'Image',
      'campaigns.link': 'Link',
      'campaigns.stages': 'Stages',
      'campaigns.countries': 'Countries',
      'campaigns.agent_codes': 'Couriers',
      'campaigns.conditions': 'Only orders that also meet',
      'campaigns.priority': 'Priority',
      'campaigns.ab_share': 'Share that sees variant B',
    },
  },
  {
    path: '/settings/announcement-config',
    ...settings,
    fields: {
      'announcements.entry': 'Announcement',
      'announcements.texts': 'Text',
      'announcements.mode': 'Kind',
      'announcements.audience': 'For whom',
      'announcements.from_at': 'From',
      'announcements.to_at': 'Until',
      'announcements.state': 'State',
    },
  },
  {
    path: '/groups',
    read: access.users,
    change: access.users,
    fields: {
      'groups.entry': 'Group',
      'groups.name': 'Name',
      'groups.permission': 'Permissions',
      'groups.station_acts': 'At packing stations',
    },
  },
  {
    path: '/schedule/settings',
    read: access.scheduleAdmin,
    change: access.scheduleAdmin,
    fields: {
      'schedule.region': 'Region',
      'schedule.accept_takes': 'The first who asks gets an open shift',
      'schedule.sole_approver': 'The only lead decides about the own leave',
      'schedule.half_holidays': 'Holiday by half days',
      'schedule.child_day_next': 'The child’s first sick day may be the day after',
    },
  },
  {
    path: '/salary/rules',
    read: access.salary,
    change: access.salary,
    fields: {
      'pay.employer_no': 'CVR number',
      'pay.codes': 'Pay codes of your payroll system',
      'pay.leave': 'Leave',
      'pay.floor_scope': 'The floor is reached',
      'pay.quality': 'Commission counts',
      'pay.quality_fewest_scans': 'From so many scans',
      'pay.columns': 'Columns, in this order',
      'pay.separator': 'Separator',
      'pay.decimal': 'Decimal sign',
      'pay.encoding': 'Encoding',
      'pay.header': 'First line with the names of the columns',
    },
  },
  {
    path: '/schedule/timesheet',
    read: access.scheduleAdmin,
    change: access.scheduleAdmin,
    fields: {
      'hours.tolerance_s': 'Tolerance',
      'hours.rounding_min': 'Rounding',
      'hours.early': 'Early start',
      'hours.remind_person': 'Mail the person about a missing clock-out',
      'hours.remind_leads': 'Mail the leads about missing clock-outs',
      'hours.early_out_min': 'Early clock-out',
      'hours.auto_approve': 'Approve days inside the tolerance by themselves',
      'hours.sole_approver': 'The only lead may approve the own hours',
    },
  },
]

export const settingWriters: readonly Permission[] = [...new Set(settingsByPage.flatMap(page => page.change))]

/** Settings that hold a value for each language: `homepages.da_DK` belongs to `homepages`. */
const byLanguage = ['homepages', 'invoice_footers', 'video.notices']

/** Settings of one of several things, which their names hold: `webhooks.12.url` is `webhooks.url` of the webhook 12. */
const byPlace = [
  ...['webhooks', 'return_texts', 'tags', 'tag_rules', 'boxes', 'box_rules', 'addresses', 'additional_products', 'alerts'],
  ...['product_links', 'approval_rules', 'method_rules', 'customs_numbers', 'serial_rules', 'deadlines', 'closed_days'],
  ...['message_templates', 'return_reasons', 'prices', 'price_zones', 'surcharges', 'exchange_rates', 'wagon_types'],
  ...['printers', 'station_printers', 'groups', 'announcements', 'campaigns'],
]
/** The whole entry of a list, which was added or removed. */
export const entryField = 'entry'
export const hasPlace = (field: string): boolean => byPlace.some(one => field.startsWith(`${one}.`))

/** The parts of the name of a setting that its owner stores: owner, place (empty where there is one only) and field. */
export function ownedParts(name: string): { owner: string; place: string; field: string } {
  const parts = name.split('.')
  return { owner: parts[0] ?? '', place: parts.slice(1, -1).join('.'), field: parts.at(-1) ?? '' }
}

/** The field that a setting is changed in: values of one language, or of one webhook, share theirs. */
export function fieldOf(name: string): string {
  const { owner, field } = ownedParts(name)
  return byPlace.includes(owner) ? `${owner}.${field}` : (byLanguage.find(one => name.startsWith(`${one}.`)) ?? name)
}

/** The page and the label of a setting. */
export function settingField(name: string): { page: SettingsOfPage; label: string } | undefined {
  const field = fieldOf(name)
  const page = settingsByPage.find(one => field in one.fields)
  const label = page?.fields[field]
  return page && label !== undefined ? { page, label } : undefined
}

/** Settings that no one enters: they are written with another one. */
export const writtenWith: readonly string[] = ['second_factor_since']

/** Pictures: their history says that they were set or removed. A removed one is not kept, so it cannot come back. */
export const pictureSettings: readonly string[] = ['logo_file_id', 'handling_image_file_id', 'campaigns.picture_file_id']

type Plain = { readonly [name: string]: unknown }
const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Each value with its name: `{ serials: { min_length: 3 } }` has `serials.min_length`. */
export function flatSettings(settings: Plain, before = ''): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  for (const [name, value] of Object.entries(settings)) {
    if (isPlain(value)) for (const [inner, one] of flatSettings(value, `${before}${name}.`)) flat.set(inner, one)
    else flat.set(`${before}${name}`, value)
  }
  return flat
}

export interface SettingChange {
  name: string
  before: unknown
  after: unknown
}

/** What differs, value by value; `undefined` where a value was or is absent. */
export function settingChanges(before: Plain, after: Plain): SettingChange[] {
  const [old, fresh] = [flatSettings(before), flatSettings(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap(name => {
    const [was, is] = [old.get(name), fresh.get(name)]
    if (writtenWith.includes(name) || JSON.stringify(was) === JSON.stringify(is)) return []
    if (pictureSettings.includes(name)) return [{ name, before: stateOf(was), after: stateOf(is) }]
    return [{ name, before: was, after: is }]
  })
}

const stateOf = (file: unknown): 'set' | 'removed' => (file === null || file === undefined ? 'removed' : 'set')

/** The settings with one value replaced, or left out where it is `undefined`. */
export function withSetting(settings: Plain, name: string, value: unknown): Plain {
  const [first = '', ...rest] = name.split('.')
  if (rest.length > 0) {
    const inner = settings[first]
    return { ...settings, [first]: withSetting(isPlain(inner) ? inner : {}, rest.join('.'), value) }
  }
  const { [first]: _replaced, ...others } = settings
  return value === undefined ? others : { ...others, [first]: value }
}
