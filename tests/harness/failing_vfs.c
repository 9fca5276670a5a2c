/* SPDX-License-Identifier: MIT */
#include "tests/harness/failing_vfs.h"
#include "tests/unit/cmocka_all.h"
#include <dlfcn.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

struct failing_file {
	sqlite3_file base;
	sqlite3_file *real; /* after this struct */
};

static struct {
	sqlite3_vfs vfs, *real;
	enum failure failure;
	size_t at, count, open_files;
	const char *failed;
} failing;

/* True if this operation is the one that fails. A process that is to be killed ends here. */
static bool fails(const char *name, enum failure failure)
{
	bool is_wanted = failing.failure == FAIL_KILL || failing.failure == failure;

	if (!is_wanted || ++failing.count != failing.at)
		return false;
	failing.failed = name;
	if (failing.failure == FAIL_KILL)
		raise(SIGKILL);
	return true;
}

static sqlite3_file *real_of(sqlite3_file *file)
{
	return ((struct failing_file *)file)->real;
}

#define REAL(file) (real_of(file)->pMethods)

static int close_file(sqlite3_file *file)
{
	failing.open_files--;
	return REAL(file)->xClose(real_of(file));
}

/* The file ends within what is read. */
static int read_cut(sqlite3_file *file, void *ret, int n, sqlite3_int64 at)
{
	int rc = REAL(file)->xRead(real_of(file), ret, n / 2, at);

	memset((char *)ret + n / 2, 0, (size_t)(n - n / 2));
	return rc == SQLITE_OK ? SQLITE_IOERR_SHORT_READ : rc;
}

static int read_file(sqlite3_file *file, void *ret, int n, sqlite3_int64 at)
{
	/* One of them counts: an operation has one number. */
	if (failing.failure == FAIL_CUT ? fails("read", FAIL_CUT) : fails("read", FAIL_IO))
		return failing.failure == FAIL_CUT ? read_cut(file, ret, n, at) : SQLITE_IOERR_READ;
	return REAL(file)->xRead(real_of(file), ret, n, at);
}

/* The system call: SQLite reads the rest. */
static ssize_t read_short(int fd, void *ret, size_t n, off_t at)
{
	return pread(fd, ret,
		     n > 1 && failing.failure == FAIL_SHORT && fails("pread", FAIL_SHORT) ? n / 2
											  : n,
		     at);
}

static bool is_next(enum failure failure)
{
	return failing.failure == failure && failing.count + 1 == failing.at;
}

static int write_file(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 at)
{
	if (is_next(FAIL_FULL) || is_next(FAIL_KILL))
		REAL(file)->xWrite(real_of(file), bytes, n / 2, at);
	if (failing.failure == FAIL_FULL ? fails("write", FAIL_FULL) : fails("write", FAIL_IO))
		return failing.failure == FAIL_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
	return REAL(file)->xWrite(real_of(file), bytes, n, at);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
	return fails("truncate", FAIL_IO) ? SQLITE_IOERR_TRUNCATE
					  : REAL(file)->xTruncate(real_of(file), size);
}

static int sync_file(sqlite3_file *file, int flags)
{
	(void)file;
	(void)flags;
	return fails("sync", FAIL_IO) ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int get_size(sqlite3_file *file, sqlite3_int64 *ret)
{
	return fails("size", FAIL_IO) ? SQLITE_IOERR_FSTAT
				      : REAL(file)->xFileSize(real_of(file), ret);
}

static int lock(sqlite3_file *file, int level)
{
	return fails("lock", FAIL_IO) ? SQLITE_IOERR_LOCK : REAL(file)->xLock(real_of(file), level);
}

/* SQLite ignores a failure, and the next lock of it. */
static int unlock(sqlite3_file *file, int level)
{
	return REAL(file)->xUnlock(real_of(file), level);
}

static int check_lock(sqlite3_file *file, int *ret)
{
	return fails("check lock", FAIL_IO) ? SQLITE_IOERR_CHECKRESERVEDLOCK
					    : REAL(file)->xCheckReservedLock(real_of(file), ret);
}

static int control(sqlite3_file *file, int what, void *arg)
{
	return REAL(file)->xFileControl(real_of(file), what, arg);
}

static int get_sector(sqlite3_file *file)
{
	return REAL(file)->xSectorSize(real_of(file));
}

static int get_characteristics(sqlite3_file *file)
{
	return REAL(file)->xDeviceCharacteristics(real_of(file));
}

static int map_shared(sqlite3_file *file, int region, int n, int extends, void volatile **ret)
{
	return fails("map", FAIL_IO) ? SQLITE_IOERR_SHMMAP
				     : REAL(file)->xShmMap(real_of(file), region, n, extends, ret);
}

static int lock_shared(sqlite3_file *file, int offset, int n, int flags)
{
	/* Unlocking does not fail. */
	if ((flags & SQLITE_SHM_LOCK) && fails("shared lock", FAIL_IO))
		return SQLITE_IOERR_SHMLOCK;
	return REAL(file)->xShmLock(real_of(file), offset, n, flags);
}

static void order_shared(sqlite3_file *file)
{
	REAL(file)->xShmBarrier(real_of(file));
}

static int unmap_shared(sqlite3_file *file, int deletes)
{
	return REAL(file)->xShmUnmap(real_of(file), deletes);
}

/* Version 2: without mapped pages, so that each read is one operation. */
static const sqlite3_io_methods methods = {
	.iVersion = 2,
	.xClose = close_file,
	.xRead = read_file,
	.xWrite = write_file,
	.xTruncate = truncate_file,
	.xSync = sync_file,
	.xFileSize = get_size,
	.xLock = lock,
	.xUnlock = unlock,
	.xCheckReservedLock = check_lock,
	.xFileControl = control,
	.xSectorSize = get_sector,
	.xDeviceCharacteristics = get_characteristics,
	.xShmMap = map_shared,
	.xShmLock = lock_shared,
	.xShmBarrier = order_shared,
	.xShmUnmap = unmap_shared,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *ret)
{
	struct failing_file *own = (struct failing_file *)file;
	int rc;

	(void)vfs;
	file->pMethods = NULL;
	own->real = (sqlite3_file *)(own + 1);
	if (fails("open", FAIL_IO))
		return SQLITE_CANTOPEN;
	rc = failing.real->xOpen(failing.real, name, own->real, flags, ret);
	if (own->real->pMethods) {
		file->pMethods = &methods;
		failing.open_files++;
	}
	return rc;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncs)
{
	(void)vfs;
	(void)syncs;
	return fails("delete", FAIL_IO) ? SQLITE_IOERR_DELETE
					: failing.real->xDelete(failing.real, name, 0);
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *ret)
{
	(void)vfs;
	return fails("access", FAIL_IO) ? SQLITE_IOERR_ACCESS
					: failing.real->xAccess(failing.real, name, flags, ret);
}

static void replace_call(const char *name)
{
	int rc = failing.real->xSetSystemCall(failing.real, name,
					      (sqlite3_syscall_ptr)(void (*)(void))read_short);

	assert_true(rc == SQLITE_OK || rc == SQLITE_NOTFOUND);
}

void failing_vfs_install(void)
{
	/* The store loads the same library; it is never unloaded. */
	void *library = dlopen("libsqlite3.so.0", RTLD_NOW);
	__typeof__(sqlite3_vfs_find) *find;
	__typeof__(sqlite3_vfs_register) *install;

	assert_non_null(library);
	find = (__typeof__(find))dlsym(library, "sqlite3_vfs_find");
	install = (__typeof__(install))dlsym(library, "sqlite3_vfs_register");
	assert_true(find && install);
	failing.real = find(NULL);
	failing.vfs = *failing.real;
	failing.vfs.zName = "failing";
	failing.vfs.szOsFile += (int)sizeof(struct failing_file);
	failing.vfs.xOpen = open_file;
	failing.vfs.xDelete = delete_file;
	failing.vfs.xAccess = access_file;
	assert_int_equal(install(&failing.vfs, 1), SQLITE_OK);
	/* Which of them SQLite uses depends on its build. */
	replace_call("pread");
	replace_call("pread64");
}

void failing_vfs_arm(enum failure failure, size_t at)
{
	failing.failure = failure;
	failing.at = at;
	failing.count = 0;
	failing.failed = NULL;
}

size_t failing_vfs_count(void)
{
	return failing.count;
}

const char *failing_vfs_failed(void)
{
	return failing.failed;
}

size_t failing_vfs_open_files(void)
{
	return failing.open_files;
}
