/** The areas of the product, from the lowest: each is a folder under `src/features` and a tag of the OpenAPI document. */
export const areas = {
  company: 'Sign-in, users, companies, settings, API keys, jobs and the change stream.',
  catalog: 'Products: what is sold, how it is recognised by its barcodes, and what customs want to know of it.',
  customers: 'Customers: the people and companies that order.',
  printing: 'Printers, print jobs, stations and sheets of codes.',
  orders: 'Orders from arrival to completion: import, search, edit, hold, comment. Includes the calls that shops use.',
  shipping: 'Shipping methods, labels, parcel shops and the tracking page of the recipient.',
  warehouse: 'Warehouse maps, pick lists, picking, paperless codes and collect lists.',
  packing: 'The packing station: scan, pack, close, approve and record serial numbers.',
  deliveries: 'What is sent to shops and recipients: webhooks, order updates, mail and SMS.',
  invoicing: 'Customs invoices: the parcels of one courier to one country on one paper, and how they are made.',
  returns: 'Returned parcels.',
  messages: 'Messages to recipients and their answers, templates, and alerts about orders.',
  people: 'Working hours and shifts.',
  insight: 'Statistics and boards.',
  desk: 'What shows several areas at once: search, Home and the first steps.',
} as const

export type Area = keyof typeof areas
