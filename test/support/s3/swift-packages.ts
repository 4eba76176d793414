/** What a run needs for a real S3 service. */
import { existsSync } from 'node:fs';

export const swiftPackages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'] as const;

/** The interpreter for which Debian has Swift. */
export const python = '/usr/bin/python3';

export const hasSwift = (): boolean =>
  existsSync('/usr/lib/python3/dist-packages/swift') && existsSync('/usr/bin/swift-object-server');
