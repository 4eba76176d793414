/** Where Debian's Orthanc has its plugins, that of worklists among them. */
export const orthancPlugins = '/usr/share/orthanc/plugins';
