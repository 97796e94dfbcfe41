/** Every owner of personal data: what an erasure runs, in this order. */
import { eraseAccessCriteria } from '#features/company/access-log/access-log.commands.ts'
import { eraseAnnouncements } from '#features/company/announcements/erase-announcements.commands.ts'
import { eraseJobMessages } from '#features/company/jobs/erase-jobs.commands.ts'
import { eraseSavedViews } from '#features/company/saved-views/erase-saved-views.commands.ts'
import { eraseCustomers } from '#features/customers/customers/erase-customers.commands.ts'
import { eraseDeliveryAnswers } from '#features/deliveries/outbox/erase-answers.commands.ts'
import { eraseConnectionLog } from '#features/deliveries/shop-connections/erase-connection-log.commands.ts'
import { eraseWebhookBodies } from '#features/deliveries/webhooks/erase-bodies.commands.ts'
import { eraseCompanyExports } from '#features/desk/company-exports/company-exports.commands.ts'
import { keepInvoices } from '#features/invoicing/invoices/erase-invoices.commands.ts'
import { eraseMessages } from '#features/messages/messages/erase-messages.commands.ts'
import { eraseBulkNotes } from '#features/orders/bulk-jobs/erase-bulk-jobs.commands.ts'
import { eraseAlertHits } from '#features/orders/order-alerts/erase-alert-hits.commands.ts'
import { eraseOrderExports } from '#features/orders/order-exports/erase-order-exports.commands.ts'
import { eraseImports } from '#features/orders/order-imports/erase-imports.commands.ts'
import { eraseOrders } from '#features/orders/orders/erase-orders.commands.ts'
import { eraseDeliveryOutcomes } from '#features/orders/shop-webhooks/erase-deliveries.commands.ts'
import { eraseApprovals } from '#features/packing/approval/erase-approvals.commands.ts'
import { eraseExceptions } from '#features/packing/exceptions/erase-exceptions.commands.ts'
import { erasePackingScans } from '#features/packing/packing/erase-scans.commands.ts'
import { erasePhotos } from '#features/packing/packing-photos/erase-photos.commands.ts'
import { eraseVideos } from '#features/packing/packing-video/erase-videos.commands.ts'
import { erasePunchNotes } from '#features/people/punch-clock/erase-punch-notes.commands.ts'
import { eraseScheduleNotes } from '#features/people/schedule/erase-schedule.commands.ts'
import { erasePrintJobs } from '#features/printing/print-jobs/erase-print-jobs.commands.ts'
import { eraseReturns } from '#features/returns/returns/erase-returns.commands.ts'
import { eraseAddresses } from '#features/shipping/address-book/erase-addresses.commands.ts'
import { eraseClaims } from '#features/shipping/claims/erase-claims.commands.ts'
import { eraseLabels } from '#features/shipping/labels/erase-labels.commands.ts'
import { erasePickups } from '#features/shipping/pickups/erase-pickups.commands.ts'
import { eraseShipmentExceptions } from '#features/shipping/shipment-exceptions/erase-shipment-exceptions.commands.ts'
import { eraseCollectScans } from '#features/warehouse/collect-lists/erase-collect-scans.commands.ts'
import { erasePicks } from '#features/warehouse/pick-lists/erase-picks.commands.ts'
import { eraseCountNotes } from '#features/warehouse/pick-tasks/erase-counts.commands.ts'
import type { ErasurePart } from '#platform/database/erasure.ts'
import { erasePersonalEvents } from '#platform/database/events.ts'
import { eraseOrderFiles } from '#platform/files/erased-files.ts'

export const erasureParts: readonly ErasurePart[] = [
  erasePersonalEvents,
  eraseOrderFiles,
  eraseOrderExports,
  eraseCompanyExports,
  eraseJobMessages,
  eraseSavedViews,
  eraseAnnouncements,
  eraseAccessCriteria,
  eraseDeliveryOutcomes,
  eraseImports,
  eraseCountNotes,
  eraseScheduleNotes,
  erasePunchNotes,
  erasePicks,
  eraseCollectScans,
  erasePackingScans,
  eraseExceptions,
  erasePickups,
  eraseShipmentExceptions,
  eraseClaims,
  eraseReturns,
  erasePhotos,
  eraseApprovals,
  eraseVideos,
  eraseMessages,
  eraseAlertHits,
  eraseBulkNotes,
  eraseDeliveryAnswers,
  eraseWebhookBodies,
  eraseConnectionLog,
  erasePrintJobs,
  eraseLabels,
  keepInvoices,
  eraseAddresses,
  eraseCustomers,
  eraseOrders,
]
