/** The fields of all settings pages, written by `node scripts/settings-index.ts` from their screens. */

export interface IndexedPage {
  path: string
  title: string
  words: string
  fields: readonly { label: string; help: readonly string[] }[]
}

export const settingsIndex: readonly IndexedPage[] = [
  {
    path: '/schedule/settings',
    title: 'Schedule settings',
    words: 'public holidays block dates leave rules',
    fields: [
      {
        label: 'Leave',
        help: ['Sickness counts at once. Holiday is approved by a lead, never by oneself.'],
      },
      {
        label: 'Holiday by half days',
        help: [],
      },
      {
        label: 'The child’s first sick day may be the day after',
        help: ['Where the parent was called home from work.'],
      },
      {
        label: 'The only lead decides about the own leave',
        help: ['Marked on the request. Without effect as soon as there are two leads.'],
      },
      {
        label: 'Open shifts',
        help: ['Requests with working-time warnings always wait for a lead.'],
      },
      {
        label: 'The first who asks gets an open shift',
        help: [],
      },
      {
        label: 'Working-time rules',
        help: ['Own rules stand in place of the law from their day on. Weaker ones need a reason; for minors there are none.'],
      },
      {
        label: 'Days without holiday',
        help: ['No holiday can be asked for on these days. A lead can approve it with a reason.'],
      },
      {
        label: 'Public holidays',
        help: [],
      },
      {
        label: 'Region',
        help: ['Such as BY for Bavaria. Empty: the whole country.'],
      },
      {
        label: 'Day',
        help: [],
      },
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Remove',
        help: [],
      },
      {
        label: 'First day',
        help: [],
      },
      {
        label: 'Last day',
        help: [],
      },
      {
        label: 'Reason',
        help: [],
      },
      {
        label: 'Remove rule',
        help: [],
      },
      {
        label: 'Country',
        help: [],
      },
      {
        label: 'Rule',
        help: [],
      },
      {
        label: 'Holds from',
        help: ['Until the next value.'],
      },
      {
        label: 'Why',
        help: [],
      },
    ],
  },
  {
    path: '/settings/dashboard',
    title: 'Dashboard',
    words: 'deadline pickup cut-off closed day holiday token link wall screen television',
    fields: [
      {
        label: 'Deadlines',
        help: [],
      },
      {
        label: 'Closed days',
        help: [],
      },
      {
        label: 'Day',
        help: [],
      },
      {
        label: 'Applies to',
        help: [],
      },
      {
        label: 'Couriers come on this day',
        help: [],
      },
      {
        label: 'Note',
        help: [],
      },
      {
        label: 'Alarms',
        help: ['An alarm comes 60, 30 and 15 minutes before a pickup that will be missed, and when it was missed.'],
      },
      {
        label: 'Sound on boards',
        help: ['30 and 15 minutes before the pickup, in browsers after the first touch or key.'],
      },
      {
        label: 'Quiet from',
        help: [],
      },
      {
        label: 'Quiet until',
        help: ['In quiet hours only the last 15 minutes are mailed. Empty: always.'],
      },
      {
        label: 'Board links',
        help: [],
      },
      {
        label: 'Copy link',
        help: [],
      },
      {
        label: 'Shows',
        help: [],
      },
      {
        label: 'Name',
        help: ['The board shows it: for example the hall.', 'Empty: all deadlines.'],
      },
      {
        label: 'Figures of the warehouse',
        help: ['Waiting, packed in the last hour, exceptions, and how many people work.'],
      },
      {
        label: 'Until',
        help: ['Empty: until it is revoked.'],
      },
      {
        label: 'Pickup days',
        help: [],
      },
      {
        label: 'Cut-off',
        help: ['Ordered until then, it leaves with this pickup.'],
      },
      {
        label: 'Pickup',
        help: ['The courier comes. Boards show this time.'],
      },
      {
        label: 'Further pickup days',
        help: ['0: the first pickup after the cut-off.'],
      },
      {
        label: 'To be done by the pickup',
        help: [],
      },
      {
        label: 'Public holidays of',
        help: ['No pickup on these days.'],
      },
      {
        label: 'Couriers',
        help: ['Empty lists apply to all. The most specific deadline wins.'],
      },
      {
        label: 'Shipping methods',
        help: [],
      },
      {
        label: 'Countries',
        help: [],
      },
      {
        label: 'Companies',
        help: [],
      },
      {
        label: 'In use',
        help: ['Off: orders do not get this deadline.'],
      },
      {
        label: 'Recipients of alarms',
        help: [],
      },
      {
        label: 'Quiet hours',
        help: [],
      },
    ],
  },
  {
    path: '/settings/email',
    title: 'E-mail and messages',
    words: 'SMTP account mail server sender test mail SMS text message gateway template quiet hours opt-out',
    fields: [
      {
        label: 'Section',
        help: [],
      },
      {
        label: 'Quiet hours',
        help: ['Text messages wait until it is day where the recipient lives. Equal times: there are no quiet hours.'],
      },
      {
        label: 'From',
        help: [],
      },
      {
        label: 'Until',
        help: [],
      },
      {
        label: 'Keeping',
        help: ['After this time address and text of a message are deleted; that it was sent stays.'],
      },
      {
        label: 'Keep texts for (days)',
        help: [],
      },
      {
        label: 'Opt-outs',
        help: ['Who answers STOP gets no more text messages of this company. START takes it back.'],
      },
      {
        label: 'Channel',
        help: [],
      },
      {
        label: 'Number or address',
        help: [],
      },
      {
        label: 'Find',
        help: [],
      },
      {
        label: 'Mail server',
        help: ['The provider of your mailbox names these under SMTP or outgoing mail.'],
      },
      {
        label: 'Server',
        help: [],
      },
      {
        label: 'Encryption',
        help: [],
      },
      {
        label: 'Port',
        help: [],
      },
      {
        label: 'User name',
        help: ['Often the address of the mailbox. Empty: the server asks for no sign-in.'],
      },
      {
        label: 'Password',
        help: [],
      },
      {
        label: 'Sender',
        help: ['What recipients see. The mail server must let this account send from the address.'],
      },
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'E-mail',
        help: [],
      },
      {
        label: 'Answers go to',
        help: ['Empty: to the sender.'],
      },
      {
        label: 'Sent mails',
        help: ['A mail that cannot be sent is tried again for three days, unless the mail server refuses it for good.'],
      },
      {
        label: 'Gateway',
        help: ['Who carries the text messages. Without a gateway they are only logged.'],
      },
      {
        label: 'Interface',
        help: [],
      },
      {
        label: 'Region',
        help: [],
      },
      {
        label: 'Account SID',
        help: [],
      },
      {
        label: 'Secret of the callbacks',
        help: ['Without it reports and answers are not accepted.'],
      },
      {
        label: 'Sender and price',
        help: [
          'The price is shown before each sending; what the gateway bills takes its place.',
          'At most 11 letters and digits, or a number. Only numbers can be answered.',
        ],
      },
      {
        label: 'Price of one part',
        help: [],
      },
      {
        label: 'Currency',
        help: [],
      },
      {
        label: 'Warn below a balance of',
        help: ['Empty: no warning.'],
      },
      {
        label: 'Number for a test',
        help: [],
      },
      {
        label: 'Occasion',
        help: [],
      },
      {
        label: 'Language',
        help: [],
      },
      {
        label: 'Text',
        help: ['Words stand in double braces; a fallback takes the place of a missing one.'],
      },
      {
        label: 'Subject',
        help: [],
      },
      {
        label: 'Wait before sending',
        help: ['Minutes after the occasion. If it is over by then, nothing is sent.'],
      },
      {
        label: 'Urgent',
        help: ['Sent in quiet hours too.'],
      },
      {
        label: 'In use',
        help: [],
      },
      {
        label: 'Preview with',
        help: [],
      },
      {
        label: 'Blocks',
        help: [],
      },
      {
        label: 'Up',
        help: [],
      },
      {
        label: 'Down',
        help: [],
      },
      {
        label: 'Remove block',
        help: [],
      },
      {
        label: 'Leads to',
        help: [],
      },
      {
        label: 'Add block',
        help: [],
      },
      {
        label: 'Answers by link',
        help: ['Offered as long as the order allows them. The link is valid for three days.'],
      },
      {
        label: 'Preview',
        help: [],
      },
      {
        label: 'Shown as',
        help: [],
      },
      {
        label: 'Name of the sender',
        help: [],
      },
      {
        label: 'E-mail of the sender',
        help: [],
      },
      {
        label: 'Answers',
        help: [],
      },
    ],
  },
  {
    path: '/settings/country',
    title: 'Countries',
    words: 'home country language phone prefix',
    fields: [
      {
        label: 'Country',
        help: ['Parcels within it are domestic, and phone fields begin with its prefix.'],
      },
      {
        label: 'Home country',
        help: [],
      },
      {
        label: 'Shipping',
        help: ['Orders that are held here wait for a person; a corrected order of the shop goes on by itself.'],
      },
      {
        label: 'Countries shipped to',
        help: ['Empty: all. An order to another country is held.'],
      },
      {
        label: 'Postcodes that look wrong',
        help: [],
      },
      {
        label: 'Languages',
        help: ['Who reads another language sees the company’s own: staff, and customers on the tracking page and in messages.'],
      },
      {
        label: 'Languages on offer',
        help: [],
      },
      {
        label: 'Phone numbers',
        help: ['The other countries follow in the order of their names.'],
      },
      {
        label: 'First in phone fields',
        help: ['At most 10, in the order in which you select them.'],
      },
    ],
  },
  {
    path: '/settings/printer',
    title: 'Printers and station',
    words: 'PrintNode label A4 station scanner calibration test print',
    fields: [
      {
        label: 'Station',
        help: ['The place where this device stands. It is noted on everything that is packed and printed here.'],
      },
      {
        label: 'Label printer',
        help: ['Takes labels of 100 × 150 mm as soon as an order is packed.'],
      },
      {
        label: 'A4 printer',
        help: ['Takes packing slips, customs papers, lists and code sheets.'],
      },
      {
        label: 'Name of the station',
        help: [],
      },
      {
        label: 'Backup printer',
        help: [],
      },
      {
        label: 'Language of the printer',
        help: [],
      },
      {
        label: 'Printer of labels',
        help: [],
      },
      {
        label: 'Printer of return labels',
        help: [],
      },
      {
        label: 'Printer of packing slips',
        help: [],
      },
      {
        label: 'Printer of customs papers',
        help: [],
      },
      {
        label: 'Printer of invoices',
        help: [],
      },
      {
        label: 'Printer of code sheets',
        help: [],
      },
      {
        label: 'Printer of pick lists',
        help: [],
      },
      {
        label: 'Printer of collect lists',
        help: [],
      },
      {
        label: 'Printer of self-tests',
        help: [],
      },
    ],
  },
  {
    path: '/settings/qrcode',
    title: 'Codes',
    words: 'QR barcode command sheet',
    fields: [
      {
        label: 'Commands',
        help: [],
      },
      {
        label: 'Answers 1 to 9',
        help: ['Answers the numbered questions of the station by scanning.'],
      },
      {
        label: 'Orders',
        help: ['Order numbers or order codes, one per line. At most 100.'],
      },
    ],
  },
  {
    path: '/settings/company-config',
    title: 'Company',
    words: 'name logo colour time zone IP address GS1 prefix cut-off packing rules',
    fields: [
      {
        label: 'Branding',
        help: ['Shown in the top bar, on labels and on the tracking page.'],
      },
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Code',
        help: ['The first part of the address. It stays as it is.'],
      },
      {
        label: 'Colour',
        help: [],
      },
      {
        label: 'Sender',
        help: ['The address on labels and slips. Couriers bring back there what they cannot deliver.'],
      },
      {
        label: 'Address',
        help: [],
      },
      {
        label: 'Address, second line',
        help: [],
      },
      {
        label: 'Postcode',
        help: [],
      },
      {
        label: 'City',
        help: [],
      },
      {
        label: 'Country',
        help: [],
      },
      {
        label: 'Phone',
        help: [],
      },
      {
        label: 'E-mail',
        help: [],
      },
      {
        label: 'VAT number',
        help: [],
      },
      {
        label: 'For customers',
        help: ['How recipients of parcels reach the shop.'],
      },
      {
        label: 'Home page',
        help: ['Where a language has none of its own.'],
      },
      {
        label: 'Order link in the shop',
        help: ['A link; {order_no} and {external_id} are filled in.'],
      },
      {
        label: 'Language, money and clock',
        help: ['For everyone who has not chosen otherwise, and for documents.'],
      },
      {
        label: 'Language',
        help: [],
      },
      {
        label: 'Currency',
        help: [],
      },
      {
        label: 'Time zone',
        help: [],
      },
      {
        label: 'Warehouse network',
        help: ['Packing, punch clock and printers work only from addresses that match. Empty: from nowhere.'],
      },
      {
        label: 'Sign-in',
        help: ['A second factor is a code from an app or a passkey, besides the password.'],
      },
      {
        label: 'Second factor',
        help: ['Who has none sets one up at a sign-in after the days of grace. Badges and PINs stay.'],
      },
      {
        label: 'Days of grace',
        help: ['So long people can still sign in without one, and see how many days are left. 0: none.'],
      },
      {
        label: 'Tracking numbers',
        help: ['With a prefix the own courier’s labels carry SSCC numbers; without one, plain numbers of our own.'],
      },
      {
        label: 'GS1 company prefix',
        help: ['7 to 10 digits, as your GS1 organisation gave it'],
      },
      {
        label: 'Shipping days',
        help: ['From these follows the day by which an order leaves.'],
      },
      {
        label: 'Cut-off',
        help: ['Orders placed before it leave the same day.'],
      },
      {
        label: 'Working days',
        help: [],
      },
      {
        label: 'Wait before release',
        help: ['Seconds between import and release to the warehouse'],
      },
      {
        label: 'Close orders',
        help: ['Days after the last parcel has arrived or come back'],
      },
      {
        label: 'When items are missing',
        help: ['What becomes of the order. A pick list may say something else.'],
      },
      {
        label: 'Shops of the warehouse',
        help: ['What shops see of the people who work here.'],
      },
      {
        label: 'Shops see the first names of the staff in timelines',
        help: [],
      },
      {
        label: 'By language',
        help: ['The home page is shown on the tracking page, in e-mails and on papers; the last lines are printed on invoices.'],
      },
      {
        label: 'Home page in this language',
        help: [],
      },
      {
        label: 'Last lines of invoices',
        help: ['Payment terms, bank account, a word of thanks.'],
      },
      {
        label: 'Packing address pattern',
        help: ['A regular expression for the whole address; several addresses with | between them.'],
      },
      {
        label: 'Save it anyway: this place is not the warehouse',
        help: [],
      },
      {
        label: 'Logo',
        help: ['PNG, JPEG, WebP, GIF or SVG; it is kept at most 400 pixels wide.'],
      },
      {
        label: 'Phone of the sender',
        help: [],
      },
      {
        label: 'E-mail of the sender',
        help: [],
      },
    ],
  },
  {
    path: '/settings/global-config',
    title: 'All companies',
    words: 'operator companies new company close export archive limits',
    fields: [
      {
        label: 'Values for all companies',
        help: ['A company follows them until it saves a value of its own on its settings pages.'],
      },
      {
        label: 'Companies',
        help: ['The shops that this warehouse packs for. Each signs in at its own address and sees its own orders.'],
      },
      {
        label: 'Copy password',
        help: [],
      },
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Code',
        help: [],
      },
      {
        label: 'Its first administrator',
        help: [],
      },
      {
        label: 'User name',
        help: [],
      },
    ],
  },
  {
    path: '/settings/bulk-invoicing-config',
    title: 'Bulk invoicing',
    words: 'customs invoice courier importer exporter exchange rate broker',
    fields: [
      {
        label: 'Exchange rates',
        help: [],
      },
      {
        label: 'From currency',
        help: [],
      },
      {
        label: 'To currency',
        help: [],
      },
      {
        label: 'Rate',
        help: ['What one unit of the first is worth'],
      },
      {
        label: 'From',
        help: [],
      },
      {
        label: 'Until',
        help: [],
      },
      {
        label: 'Note',
        help: [],
      },
      {
        label: 'Courier',
        help: [],
      },
      {
        label: 'Country',
        help: [],
      },
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Street and number',
        help: [],
      },
      {
        label: 'Address, second line',
        help: [],
      },
      {
        label: 'Postcode',
        help: [],
      },
      {
        label: 'City',
        help: [],
      },
      {
        label: 'VAT or organisation number',
        help: [],
      },
      {
        label: 'EORI number',
        help: [],
      },
      {
        label: 'Delivery terms',
        help: [],
      },
      {
        label: 'Place of the terms',
        help: [],
      },
      {
        label: 'Currency',
        help: [],
      },
      {
        label: 'Language of the paper',
        help: [],
      },
      {
        label: 'One line for each',
        help: [],
      },
      {
        label: 'Digits of the tariff code',
        help: [],
      },
      {
        label: 'Most lines',
        help: [],
      },
      {
        label: 'Fewest parcels',
        help: [],
      },
      {
        label: 'Before the number',
        help: ['For example the broker and the courier'],
      },
      {
        label: 'Files',
        help: [],
      },
      {
        label: 'Sent',
        help: [],
      },
      {
        label: 'Subject',
        help: ['The number of the invoice follows it.'],
      },
    ],
  },
  {
    path: '/settings/customs-config',
    title: 'Customs',
    words: 'EORI VOEC IOSS VAT number exchange rate ECB rule CN23 tariff',
    fields: [
      {
        label: 'Numbers',
        help: [],
      },
      {
        label: 'Kind',
        help: [],
      },
      {
        label: 'Country',
        help: [],
      },
      {
        label: 'Number',
        help: [],
      },
      {
        label: 'Exchange rates',
        help: [],
      },
      {
        label: 'From currency',
        help: [],
      },
      {
        label: 'To currency',
        help: [],
      },
      {
        label: 'Rate',
        help: ['What one unit of the first is worth'],
      },
      {
        label: 'From',
        help: [],
      },
      {
        label: 'Until',
        help: [],
      },
      {
        label: 'Note',
        help: [],
      },
    ],
  },
  {
    path: '/settings/announcement-config',
    title: 'Announcements',
    words: 'EULA message confirm notice read agree',
    fields: [
      {
        label: 'Kind',
        help: ['For information is read once. What must be agreed to is asked again with each new text.'],
      },
      {
        label: 'Title',
        help: [],
      },
      {
        label: 'Text',
        help: [],
      },
      {
        label: 'From',
        help: [],
      },
      {
        label: 'Until',
        help: ['Empty: without an end.'],
      },
      {
        label: 'Publish',
        help: ['People see it from the start of its period on, never in the middle of an order.'],
      },
      {
        label: 'For everyone in the company',
        help: [],
      },
      {
        label: 'Groups',
        help: [],
      },
      {
        label: 'People',
        help: [],
      },
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Status',
        help: [],
      },
      {
        label: 'For whom',
        help: [],
      },
      {
        label: 'State',
        help: [],
      },
    ],
  },
  {
    path: '/settings/warehouse-map',
    title: 'Warehouse map',
    words: 'aisle bin route',
    fields: [
      {
        label: 'Maps',
        help: [],
      },
      {
        label: 'Orders from',
        help: [],
      },
      {
        label: 'Products',
        help: [],
      },
      {
        label: 'The places where most is fetched, darker the more. The same numbers stand in the list beside it.',
        help: [],
      },
      {
        label: 'Bins by number of picks',
        help: [],
      },
      {
        label: 'Locations of a CSV file',
        help: [],
      },
      {
        label: 'are added to this map; those with the same code move',
        help: [],
      },
      {
        label: 'replace the whole drawing',
        help: [],
      },
      {
        label: 'Title of the map',
        help: [],
      },
      {
        label: 'Width',
        help: [],
      },
      {
        label: 'Height',
        help: [],
      },
      {
        label: 'Cell, mm',
        help: [],
      },
      {
        label: 'Aisles',
        help: [],
      },
      {
        label: 'Bays per side',
        help: [],
      },
      {
        label: 'Levels',
        help: [],
      },
      {
        label: 'Ways across',
        help: [],
      },
      {
        label: 'Aisle, cells',
        help: [],
      },
      {
        label: 'Aisle names',
        help: [],
      },
      {
        label: 'Between them',
        help: [],
      },
      {
        label: 'Bay numbers',
        help: [],
      },
      {
        label: 'Aisles are one-way, up and down in turn',
        help: [],
      },
      {
        label: 'Preview of the new map',
        help: [],
      },
      {
        label: 'Picked from',
        help: [],
      },
    ],
  },
  {
    path: '/settings/shipping-config',
    title: 'Shipping methods',
    words: 'courier label check active',
    fields: [
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Shop codes',
        help: ['What the shop calls it. Orders with one of these codes go by this method; Enter adds one.'],
      },
      {
        label: 'Text for the packer',
        help: ['Shown on the packing screen.'],
      },
      {
        label: 'Print a packing slip',
        help: [],
      },
      {
        label: 'Handling picture',
        help: ['How the parcel is packed for this method. Without one the company’s own picture is shown.', 'Optional'],
      },
      {
        label: 'Shipping method',
        help: [],
      },
      {
        label: 'Active',
        help: [],
      },
      {
        label: 'Closed or full parcel shop',
        help: [],
      },
      {
        label: 'Condition',
        help: [],
      },
      {
        label: 'Courier',
        help: [],
      },
      {
        label: 'Order of the rules',
        help: [],
      },
      {
        label: 'Zone',
        help: [],
      },
      {
        label: 'Up to',
        help: [],
      },
      {
        label: 'Price without VAT',
        help: [],
      },
      {
        label: 'Currency',
        help: [],
      },
      {
        label: 'For each kilogram',
        help: [],
      },
      {
        label: 'Greatest length',
        help: [],
      },
      {
        label: 'Sum of the sides',
        help: [],
      },
      {
        label: 'cm³ that count as 1 kg',
        help: [],
      },
      {
        label: 'From',
        help: [],
      },
      {
        label: 'Until',
        help: [],
      },
      {
        label: 'Countries',
        help: [],
      },
      {
        label: 'Postcodes',
        help: [],
      },
      {
        label: 'Kind of surcharge',
        help: [],
      },
      {
        label: 'Percent of the price',
        help: [],
      },
      {
        label: 'Amount without VAT',
        help: [],
      },
      {
        label: 'Above this weight',
        help: [],
      },
      {
        label: 'Above this length',
        help: [],
      },
    ],
  },
  {
    path: '/settings/packing-config',
    title: 'Packing',
    words: 'exceptions due times hours of the stations weight scale tolerance parcels labels PIN packing slip',
    fields: [
      {
        label: 'More about packing',
        help: ['These have pages of their own.'],
      },
      {
        label: 'At the station',
        help: ['What holds at every packing station.'],
      },
      {
        label: 'Pack orders without a pick list',
        help: [],
      },
      {
        label: 'A product scan opens the oldest order of one item',
        help: [],
      },
      {
        label: 'Counting a product by hand needs the packing PIN',
        help: [],
      },
      {
        label: 'Leads approve only in the warehouse network',
        help: ['A question of a packer is not answered from elsewhere, such as a phone at home.'],
      },
      {
        label: 'Parcels',
        help: ['Labels and papers of each parcel, and orders that are sent in part.'],
      },
      {
        label: 'Labels of several parcels',
        help: [],
      },
      {
        label: 'Print a packing slip with every parcel',
        help: [],
      },
      {
        label: 'Partial shipment: recipient',
        help: ['Whether the tracking page says what follows and what was cancelled.'],
      },
      {
        label: 'Photo of the open box',
        help: ['Taken by the camera of the station, and kept as long as packing videos. Picture only.'],
      },
      {
        label: 'Weight',
        help: ['A scale is connected at the station itself, with the button of its weighing screen: USB scales, or a serial port.'],
      },
      {
        label: 'Weigh parcels',
        help: ['Before a parcel gets its label.'],
      },
      {
        label: 'A weight may be typed',
        help: [],
      },
      {
        label: 'May differ by',
        help: ['The larger of both counts.'],
      },
      {
        label: 'Or by',
        help: ['Of the expected weight.'],
      },
      {
        label: 'Packaging (g)',
        help: [],
      },
      {
        label: 'Product without weight (g)',
        help: [],
      },
      {
        label: 'Exceptions',
        help: [
          'How long each kind of problem may take, and who sees to it. Open exceptions keep both; an hour before the order has to leave is the latest.',
        ],
      },
      {
        label: 'Owner',
        help: [],
      },
      {
        label: 'Hours of the stations',
        help: ['Minutes count only in these hours of a working day.'],
      },
      {
        label: 'From',
        help: [],
      },
      {
        label: 'Until',
        help: [],
      },
      {
        label: 'Packing PIN',
        help: ['Packers need it for what a lead should know of, such as counting by hand.'],
      },
      {
        label: 'New PIN',
        help: [],
      },
      {
        label: 'Weighings',
        help: [],
      },
      {
        label: 'Label error',
        help: [],
      },
      {
        label: 'Wrong item picked',
        help: [],
      },
      {
        label: 'Item missing',
        help: [],
      },
      {
        label: 'Item damaged',
        help: [],
      },
      {
        label: 'Address wrong',
        help: [],
      },
      {
        label: 'Customs data',
        help: [],
      },
      {
        label: 'Weight differs',
        help: [],
      },
      {
        label: 'No box fits',
        help: [],
      },
      {
        label: 'Another reason',
        help: [],
      },
      {
        label: 'Owner group',
        help: [],
      },
    ],
  },
  {
    path: '/settings/approval',
    title: 'Approval',
    words: 'rule lead PIN badge supervisor log refused',
    fields: [
      {
        label: 'Log',
        help: [],
      },
      {
        label: 'Show photo',
        help: [],
      },
      {
        label: 'Rules',
        help: [],
      },
      {
        label: 'Name',
        help: ['The packer reads it when the station asks.'],
      },
      {
        label: 'When the station asks',
        help: [],
      },
      {
        label: 'How it is approved',
        help: [],
      },
      {
        label: 'Who may approve',
        help: ['Administrators always may, packers never for themselves.'],
      },
      {
        label: 'Ask why',
        help: ['The one who approves gives a reason, which stands in the log.'],
      },
      {
        label: 'Active',
        help: [],
      },
      {
        label: 'Condition',
        help: [],
      },
      {
        label: 'Rank',
        help: [],
      },
      {
        label: 'In use',
        help: [],
      },
    ],
  },
  {
    path: '/settings/crates',
    title: 'Boxes',
    words: 'packaging carton bag letter box size rules SKU',
    fields: [
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Code',
        help: ['Printed and scanned as CR and the code.'],
      },
      {
        label: 'Barcode',
        help: ['Of the maker, if the box carries one.'],
      },
      {
        label: 'Inside',
        help: [],
      },
      {
        label: 'Outside',
        help: [],
      },
      {
        label: 'Own weight',
        help: [],
      },
      {
        label: 'Heaviest when packed',
        help: [],
      },
      {
        label: 'Cost of one',
        help: ['The cheapest box that holds an order is suggested.'],
      },
      {
        label: 'Currency',
        help: ['Three letters, such as DKK.'],
      },
      {
        label: 'Stock',
        help: ['At 0 it is not suggested. Empty: not counted.'],
      },
      {
        label: 'Warn at',
        help: ['Empty: no warning.'],
      },
      {
        label: 'Couriers',
        help: ['Empty: all couriers take it.'],
      },
      {
        label: 'Companies',
        help: ['Empty: orders of all companies are packed into it.'],
      },
      {
        label: 'Filler',
        help: ['Share of the height that stays free for paper or air cushions.'],
      },
      {
        label: 'Longest sum of the sides',
        help: ['Larger boxes are not suggested. Empty: no limit.'],
      },
      {
        label: 'Rank',
        help: ['Of boxes that cost the same, the lowest rank is suggested.'],
      },
      {
        label: 'Fits through a letter box',
        help: ['Large letters and small bags.'],
      },
      {
        label: 'In use',
        help: ['Off: it is not suggested.'],
      },
      {
        label: 'Items per box',
        help: [],
      },
      {
        label: 'Condition',
        help: [],
      },
    ],
  },
  {
    path: '/settings/product-links',
    title: 'Product links',
    words: 'url address shop page data sheet manual supplier',
    fields: [
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Address',
        help: ['Places: {sku}, {barcode}, {shop_product_id}. A product without it shows no link.'],
      },
      {
        label: 'Icon',
        help: [],
      },
      {
        label: 'Rank',
        help: [],
      },
      {
        label: 'Companies',
        help: ['Empty: products of all companies show it.'],
      },
      {
        label: 'Active',
        help: [],
      },
    ],
  },
  {
    path: '/settings/tags',
    title: 'Tags',
    words: 'label mark colour category merge rename',
    fields: [
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Colour',
        help: [],
      },
      {
        label: 'Other tag',
        help: [],
      },
    ],
  },
  {
    path: '/settings/tag-rules',
    title: 'Tag rules',
    words: 'label automatic condition order tag',
    fields: [
      {
        label: 'Tag',
        help: [],
      },
      {
        label: 'In use',
        help: ['Off: no order gets the tag.'],
      },
      {
        label: 'Condition',
        help: [],
      },
    ],
  },
  {
    path: '/settings/additional-products',
    title: 'Additional products',
    words: 'sample flyer gift insert giveaway rule stock',
    fields: [
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'How often',
        help: ['Orders of unknown customers do not get what goes to each customer once.'],
      },
      {
        label: 'Quantity',
        help: [],
      },
      {
        label: 'At the station',
        help: [],
      },
      {
        label: 'Barcode',
        help: [],
      },
      {
        label: 'Left in stock',
        help: ['At 0 orders do not get it any more. Empty: not counted.'],
      },
      {
        label: 'Weight of one',
        help: ['It counts towards the weight of the parcel.'],
      },
      {
        label: 'Bin',
        help: ['The station names it.'],
      },
      {
        label: 'Take along while picking',
        help: ['Named with the slot of its order on the list and the phone.'],
      },
      {
        label: 'From',
        help: ['Empty: from now on.'],
      },
      {
        label: 'Until',
        help: ['The last day. Empty: without an end.'],
      },
      {
        label: 'Companies',
        help: ['Empty: orders of all companies get it.'],
      },
      {
        label: 'HS code',
        help: [],
      },
      {
        label: 'Value of one',
        help: [],
      },
      {
        label: 'Currency',
        help: [],
      },
      {
        label: 'What the packer reads',
        help: [],
      },
      {
        label: 'Rank',
        help: ['The lowest comes first at the station.'],
      },
      {
        label: 'In use',
        help: ['Off: orders do not get it.'],
      },
      {
        label: 'Condition',
        help: [],
      },
    ],
  },
  {
    path: '/settings/order-alerts',
    title: 'Order alerts',
    words: 'alert warning threshold value hold mail notify fraud large order',
    fields: [
      {
        label: 'Recipient',
        help: ['The mail names order number, value and country, and no customer.'],
      },
      {
        label: 'Meets orders',
        help: [],
      },
      {
        label: 'Several thresholds',
        help: [],
      },
      {
        label: 'Currency',
        help: [],
      },
      {
        label: 'What happens',
        help: [],
      },
      {
        label: 'Note',
        help: ['Stands in the mail, at the order and at the station.'],
      },
      {
        label: 'Gather alerts into one mail',
        help: ['Off: the mail goes out within a minute.'],
      },
      {
        label: 'Companies',
        help: ['Empty: orders of all companies.'],
      },
      {
        label: 'In use',
        help: ['Off: new orders are not checked against it.'],
      },
      {
        label: 'Minutes to gather alerts',
        help: ['Alerts of this time come in one mail.'],
      },
      {
        label: 'Name of the sender',
        help: ['Empty: the name of the e-mail account.'],
      },
      {
        label: 'Reason of holds',
        help: ['Holds for payment and fraud are released by leads only.'],
      },
      {
        label: 'Thresholds',
        help: [],
      },
      {
        label: 'Condition',
        help: [],
      },
    ],
  },
  {
    path: '/settings/api-config',
    title: 'API keys',
    words: 'CMS webhook PrintNode key import',
    fields: [
      {
        label: 'CMS keys',
        help: [
          'With a key a shop’s own program sends orders and products. Make one for each program, so that each can be taken back alone.',
        ],
      },
      {
        label: 'Copy key',
        help: [],
      },
      {
        label: 'Copy example',
        help: [],
      },
      {
        label: 'Google Maps',
        help: ['Shows the address of an order on a map after a click. Limit the key to the Maps Embed API and to this address.'],
      },
      {
        label: 'Google Maps API key',
        help: [],
      },
      {
        label: 'Name',
        help: ['The program that will use it.'],
      },
      {
        label: 'Use',
        help: [],
      },
      {
        label: 'Shop',
        help: ['Orders sent with the key belong to this shop.'],
      },
      {
        label: 'What the key may do',
        help: ['Never more than you may do yourself. Settings, users and pay stay closed.'],
      },
      {
        label: 'Reads only',
        help: ['The key changes nothing.'],
      },
      {
        label: 'Good until',
        help: ['Empty: until it is removed.'],
      },
      {
        label: 'Networks',
        help: ['The key works from these alone, one a line: 192.0.2.0/24. Empty: from everywhere.', 'Empty: until it is removed.'],
      },
      {
        label: 'Old key valid for',
        help: ['So that nothing is refused until the program uses the new one.'],
      },
      {
        label: 'PrintNode',
        help: ['Prints on the printers of every computer on which PrintNode’s client runs. The key is made in PrintNode’s account.'],
      },
      {
        label: 'API key',
        help: [],
      },
      {
        label: 'Webhooks of shops',
        help: ['WooCommerce and Shopify deliver each order automatically. Give them the address, and both sides the same secret.'],
      },
      {
        label: 'Copy address',
        help: [],
      },
      {
        label: 'Shop system',
        help: ['Orders that it delivers belong to this shop.'],
      },
      {
        label: 'Secret',
        help: [],
      },
      {
        label: 'Old secret valid for',
        help: ['So that no delivery is refused until the shop uses the new one.'],
      },
    ],
  },
  {
    path: '/settings/webhooks',
    title: 'Webhooks',
    words: 'outgoing event subscription signature secret delivery log replay integration',
    fields: [
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Address',
        help: ['It begins with https:// and can be reached from the internet.'],
      },
      {
        label: 'Events',
        help: [],
      },
      {
        label: 'Shop',
        help: ['Only events of this shop’s orders. Empty means all shops.'],
      },
      {
        label: 'Own header',
        help: ['A header that your system asks for, such as X-Api-Key. It is sent with each event.'],
      },
      {
        label: 'Value of the header',
        help: [],
      },
      {
        label: 'Switched on',
        help: ['What happens while it is off is never delivered.'],
      },
      {
        label: 'Copy secret',
        help: [],
      },
      {
        label: 'Event',
        help: [],
      },
      {
        label: 'Old secret valid for',
        help: ['So that your system refuses nothing until it uses the new one.'],
      },
      {
        label: 'Which',
        help: [],
      },
      {
        label: 'Deliveries by day',
        help: [],
      },
      {
        label: 'Deliveries',
        help: [],
      },
      {
        label: 'Name of the webhook',
        help: [],
      },
      {
        label: 'Address of the webhook',
        help: [],
      },
    ],
  },
  {
    path: '/settings/shop-connections',
    title: 'Shop connections',
    words: 'connector WooCommerce Shopify Magento PrestaShop Shopware Vendure Medusa',
    fields: [
      {
        label: 'Order number in the shop',
        help: [],
      },
      {
        label: 'Reason',
        help: [],
      },
      {
        label: 'Old orders are read',
        help: [],
      },
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Address of the shop',
        help: [],
      },
      {
        label: 'Shop code',
        help: ['The code that its orders have here. Use the code of its webhook, where there is one.'],
      },
      {
        label: 'Take orders from',
        help: ['Orders that were placed before come in only when you ask for them.'],
      },
      {
        label: 'Report parcels to the shop',
        help: [],
      },
      {
        label: 'The shop tells the customer',
        help: ['Off: the shop sends no mail about the parcel where it can be asked not to.'],
      },
      {
        label: 'Cancel in the shop too',
        help: [],
      },
      {
        label: 'Log of 30 days',
        help: [],
      },
    ],
  },
  {
    path: '/settings/dvr-config',
    title: 'Packing video',
    words: 'DVR camera recorder key retention held clips',
    fields: [
      {
        label: 'Filming',
        help: ['Picture only. Sound is never recorded, and is removed from videos that a recorder sends.'],
      },
      {
        label: 'Film packing',
        help: ['Each station with a camera starts with the order and shows that it records.'],
      },
      {
        label: 'Quality of station cameras',
        help: [],
      },
      {
        label: 'How long videos are kept',
        help: ['Afterwards they are deleted, unless someone keeps them with a reason. 30 days is the longest.'],
      },
      {
        label: 'Days',
        help: [],
      },
      {
        label: 'Space for all videos',
        help: [],
      },
      {
        label: 'Notice to staff',
        help: ['Shown at the station before the camera is switched on. An empty text shows the standard one.'],
      },
      {
        label: 'Language',
        help: [],
      },
    ],
  },
  {
    path: '/settings/rma-config',
    title: 'Returns',
    words: 'RMA language return portal texts logo header background withdrawal',
    fields: [
      {
        label: 'Section',
        help: [],
      },
      {
        label: 'Shop',
        help: ['Shops without a portal of their own use the first one.'],
      },
      {
        label: 'Approval',
        help: [],
      },
      {
        label: 'Customers may return for',
        help: [],
      },
      {
        label: 'Right of withdrawal',
        help: ['At least 14 days by law'],
      },
      {
        label: 'Fee of a return',
        help: ['Not taken for a withdrawal, nor where the shop or the courier is at fault'],
      },
      {
        label: 'Order of an exchange',
        help: ['Made by itself, without a price, once the replacement is known'],
      },
      {
        label: 'Refund proposed',
        help: ['At the first scan the shop learns of the refund before the items are here'],
      },
      {
        label: 'Ends unless sent within',
        help: [],
      },
      {
        label: 'Items count as missing after',
        help: [],
      },
      {
        label: 'Accessories by product',
        help: ['Ticked at the inspection. A line for each product: SKU: charger, cable'],
      },
      {
        label: 'Greeting',
        help: ['The first sentence of the portal.'],
      },
      {
        label: 'Return address',
        help: ['Where customers send parcels that they label themselves. Needed to open the portal.'],
      },
      {
        label: 'Confirmation',
        help: ['What the e-mail says that confirms a return. Needed to open the portal.'],
      },
      {
        label: 'Terms and conditions',
        help: ['Shown below the form: conditions and the information about the right of withdrawal.'],
      },
      {
        label: 'Help',
        help: ['How customers reach you about a return.'],
      },
      {
        label: 'Preview',
        help: [],
      },
      {
        label: 'Copy link',
        help: [],
      },
      {
        label: 'Outcomes',
        help: ['What customers may ask for. With one alone they are not asked.'],
      },
      {
        label: 'Ways to send',
        help: ['How customers get their items to you.'],
      },
      {
        label: 'Courier and method',
        help: [],
      },
      {
        label: 'Price for the customer',
        help: [],
      },
      {
        label: 'From country',
        help: [],
      },
      {
        label: 'Price',
        help: [],
      },
      {
        label: 'Courier label',
        help: [],
      },
      {
        label: 'QR code',
        help: [],
      },
      {
        label: 'Return portal',
        help: [],
      },
      {
        label: 'Words of the reason',
        help: [],
      },
      {
        label: 'At fault',
        help: [],
      },
      {
        label: 'Description',
        help: [],
      },
      {
        label: 'Photo',
        help: [],
      },
      {
        label: 'In use',
        help: [],
      },
      {
        label: 'Order of the reasons',
        help: [],
      },
    ],
  },
  {
    path: '/settings/campaign-config',
    title: 'Campaigns',
    words: 'tracking page banner picture A/B test marketing',
    fields: [
      {
        label: 'Title',
        help: ['Only colleagues see it.'],
      },
      {
        label: 'Languages',
        help: ['Customers who read another language do not see it.'],
      },
      {
        label: 'Test two variants',
        help: ['The same order always sees the same variant.'],
      },
      {
        label: 'Share that sees variant B',
        help: [],
      },
      {
        label: 'Variant',
        help: [],
      },
      {
        label: 'Alt text',
        help: ['What the image shows, for those who cannot see it. Needed to publish.'],
      },
      {
        label: 'Headline',
        help: [],
      },
      {
        label: 'Text',
        help: [],
      },
      {
        label: 'Button',
        help: ['Empty: only image and headline lead to the link.'],
      },
      {
        label: 'Link',
        help: ['For example https://shop.example/sale?utm_source=tracking. Empty: nothing to click.'],
      },
      {
        label: 'From',
        help: [],
      },
      {
        label: 'Until',
        help: ['Empty: without an end.'],
      },
      {
        label: 'Stages',
        help: ['Where the order stands when it is shown.'],
      },
      {
        label: 'Countries',
        help: ['Empty: all countries.'],
      },
      {
        label: 'Couriers',
        help: ['Empty: all couriers.'],
      },
      {
        label: 'Priority',
        help: ['The highest number is shown; with the same number, the campaign that started last.'],
      },
      {
        label: 'Figures',
        help: [],
      },
      {
        label: 'Image',
        help: [],
      },
      {
        label: 'Preview',
        help: [],
      },
      {
        label: 'Stage of the made-up order',
        help: [],
      },
      {
        label: 'Copy link',
        help: [],
      },
      {
        label: 'State',
        help: [],
      },
      {
        label: 'Only orders that also meet',
        help: [],
      },
    ],
  },
  {
    path: '/settings/address-book',
    title: 'Address book',
    words: 'sender recipient predefined address supplier repair',
    fields: [
      {
        label: 'Title',
        help: [],
      },
      {
        label: 'Used as',
        help: [],
      },
      {
        label: 'Name',
        help: [],
      },
      {
        label: 'Company',
        help: [],
      },
      {
        label: 'Attention',
        help: [],
      },
      {
        label: 'Street and number',
        help: [],
      },
      {
        label: 'Address, second line',
        help: [],
      },
      {
        label: 'Postcode',
        help: [],
      },
      {
        label: 'City',
        help: [],
      },
      {
        label: 'Country',
        help: [],
      },
      {
        label: 'Phone',
        help: [],
      },
      {
        label: 'E-mail',
        help: [],
      },
      {
        label: 'Note to the driver',
        help: [],
      },
      {
        label: 'New shipments start with it',
        help: [],
      },
    ],
  },
  {
    path: '/settings/serial-number-config',
    title: 'Serial number rules',
    words: 'regular expression checklist barcode',
    fields: [
      {
        label: 'Recording',
        help: ['Holds for all products of the company. Orders that are open at a station follow at once.'],
      },
      {
        label: 'Record serial numbers',
        help: ['Off: no station asks for a serial number.'],
      },
      {
        label: 'The station asks',
        help: [],
      },
      {
        label: 'Accepted serial numbers',
        help: [],
      },
      {
        label: 'Serial numbers may be typed',
        help: ['Off: only a scanner or the camera can enter them.'],
      },
      {
        label: 'Same number',
        help: ['For products without a rule, and for new rules.'],
      },
      {
        label: 'Letters',
        help: [],
      },
      {
        label: 'Shortest serial number',
        help: [],
      },
      {
        label: 'Patterns',
        help: [],
      },
      {
        label: 'SKU, barcode',
        help: ['Of the product whose serial numbers are checked. A scan fills it in.'],
      },
      {
        label: 'Pattern',
        help: [
          'Regular expression for the whole number. [a-z][0-9]{10,12}: a letter, 10 to 12 digits.',
          'Products with the same pattern share this and what follows.',
        ],
      },
      {
        label: 'Company',
        help: [],
      },
      {
        label: 'Separator',
        help: [],
      },
      {
        label: 'Part',
        help: [],
      },
      {
        label: 'From',
        help: [],
      },
      {
        label: 'Characters',
        help: [],
      },
      {
        label: 'Try a code',
        help: ['Scan or type one before you save.'],
      },
      {
        label: 'Read from',
        help: [],
      },
    ],
  },
  {
    path: '/settings/printer-management',
    title: 'Printer management',
    words: 'Raspberry CUPS',
    fields: [
      {
        label: 'Address',
        help: [],
      },
      {
        label: 'Name',
        help: ['Letters, digits, dots, hyphens and underscores'],
      },
      {
        label: 'Kind',
        help: [],
      },
    ],
  },
  {
    path: '/settings/email-alert',
    title: 'E-mail alert',
    words: 'Raspberry printer down',
    fields: [
      {
        label: 'Offline now',
        help: [],
      },
      {
        label: 'Tell people when a printer is offline',
        help: [],
      },
      {
        label: 'Minutes offline',
        help: ['Shorter interruptions are not mailed.'],
      },
      {
        label: 'Recipients',
        help: [],
      },
    ],
  },
  {
    path: '/settings/changes',
    title: 'History of settings',
    words: 'who changed what when audit log set back undo',
    fields: [],
  },
  {
    path: '/settings/cache',
    title: 'Cache',
    words: 'memory refresh',
    fields: [],
  },
  {
    path: '/settings/about',
    title: 'About',
    words: 'version build licence',
    fields: [
      {
        label: 'Libraries',
        help: ['Pakhus stands on the work of others. Each is used under its own licence, which lies beside it in the folder node_modules.'],
      },
      {
        label: 'This installation',
        help: ['Name the version when you ask for help.'],
      },
      {
        label: 'Copy version',
        help: [],
      },
      {
        label: 'Health',
        help: [],
      },
      {
        label: 'Database',
        help: [],
      },
      {
        label: 'Search libraries',
        help: [],
      },
    ],
  },
  {
    path: '/settings/personal-data',
    title: 'Personal data',
    words: 'GDPR privacy erase delete person copy export data request',
    fields: [
      {
        label: 'Find a person',
        help: ['By e-mail address, phone number or order number. All orders of the same customer are found.'],
      },
      {
        label: 'E-mail, phone or order',
        help: [],
      },
      {
        label: 'Requests',
        help: [],
      },
    ],
  },
  {
    path: '/settings/sign-in',
    title: 'Company account',
    words: 'single sign-on SSO OpenID Connect OIDC provider Microsoft Entra Google Okta Keycloak issuer client',
    fields: [
      {
        label: 'Provider',
        help: [
          'Microsoft Entra, Google, Okta, Keycloak or another one that speaks OpenID Connect. Register this program there as a web application.',
        ],
      },
      {
        label: 'Redirect address',
        help: ['Enter it at the provider.'],
      },
      {
        label: 'Copy address',
        help: [],
      },
      {
        label: 'Name',
        help: ['As the button of the sign-in page says it'],
      },
      {
        label: 'Issuer',
        help: [],
      },
      {
        label: 'Client ID',
        help: [],
      },
      {
        label: 'Client secret',
        help: [],
      },
      {
        label: 'Sign-in',
        help: ['Each user connects the own account in My settings, or by an invitation. An e-mail address connects nobody.'],
      },
      {
        label: 'Users sign in with the provider',
        help: [],
      },
      {
        label: 'The provider asks for a second factor',
        help: ['Then none is asked for here.'],
      },
    ],
  },
  {
    path: '/settings/first-steps',
    title: 'First steps',
    words: 'begin new company checklist set up',
    fields: [
      {
        label: 'Done',
        help: [],
      },
      {
        label: 'Not done yet',
        help: [],
      },
    ],
  },
  {
    path: '/settings/me',
    title: 'My settings',
    words: 'password language theme sessions sign out',
    fields: [
      {
        label: 'This device',
        help: ['How the page looks and reacts here.'],
      },
      {
        label: 'My language',
        help: ['Where you sign in on a device that has not chosen another.'],
      },
      {
        label: 'Start page',
        help: ['Where you begin after signing in.'],
      },
      {
        label: 'Password',
        help: ['Changing it signs you out on every other device.'],
      },
      {
        label: 'Signed in',
        help: ['Sign out where you do not sit any more.'],
      },
      {
        label: 'Present password',
        help: [],
      },
      {
        label: 'New password',
        help: ['At least 15 characters. A few words in a row are easy to remember.'],
      },
      {
        label: 'New password once more',
        help: [],
      },
      {
        label: 'Code app',
        help: ['After your password you type a code from an app on your phone. Somebody who knows your password cannot sign in alone.'],
      },
      {
        label: 'Passkeys',
        help: ['You sign in with the finger, face or PIN of your device, without a password. A passkey works at this address alone.'],
      },
      {
        label: 'Name',
        help: ['By which you know the device again'],
      },
      {
        label: 'QR code for the code app',
        help: [],
      },
      {
        label: 'Copy key',
        help: [],
      },
      {
        label: 'Code that the app shows',
        help: [],
      },
    ],
  },
]
