/** The control files of the Debian package. */

export interface ControlFields {
  readonly version: string;
  readonly architecture: string;
  readonly kibibytes: number;
}

/** The desktop app's package is `laudio`; it has a program of the same name. */
export const control = ({ version, architecture, kibibytes }: ControlFields): string => `Package: laudio-server
Version: ${version}
Architecture: ${architecture}
Maintainer: Laudio contributors
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1
Suggests: nginx | caddy
Conflicts: laudio
Section: science
Priority: optional
Description: medical transcription and worklist service
 Receives exams of a RIS or a PACS, turns dictations into structured reports
 for radiologists, and sends signed reports back. Command line, server and
 page in one program; Node.js is included.
`;

/** Run by dpkg. The service isn't started by the installation: the operator says first who may reach it. */
export const scripts: Readonly<Record<'postinst' | 'prerm' | 'postrm', string>> = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  if ! getent passwd laudio >/dev/null; then
    if command -v systemd-sysusers >/dev/null; then
      systemd-sysusers laudio.conf
    else
      useradd --system --home-dir /var/lib/laudio --no-create-home --shell /usr/sbin/nologin laudio
    fi
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    # After an upgrade a service that runs goes on with the new program.
    systemctl try-restart laudio.service
  fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now laudio.service || true
fi
`,
  // Also after a purge: the data, and the account that owns it, stay until somebody removes them by hand.
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
`,
};
