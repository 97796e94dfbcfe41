/** Where an order stands for its recipient, as the audience of a campaign and conditions name it. */

export const trackingStages = ['ordered', 'packed', 'on_its_way', 'out_for_delivery', 'ready_for_pickup', 'delivered', 'problem'] as const
export type TrackingStage = (typeof trackingStages)[number]
